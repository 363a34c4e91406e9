#!/usr/bin/env python3
"""The same hook as hook.ts with nothing but Python's own library."""

import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEPT = {name for name in os.environ.get("KEEP", "").split(",") if name}

RESOURCES = {"requests": {"cpu": "100m", "memory": "100Mi"}, "limits": {"cpu": "250m"}}


def pre_reconcile(_request):
    return {
        "envVars": [{"name": "FROM_HOOK_VAR", "value": "this value is set from the hook"}],
        "status": {
            "conditions": [{"type": "KuardReady", "status": "True", "reason": "HOOKREPORTSOK"}],
            "annotations": {"greetings": "from hook"},
        },
    }


def post_reconcile(_request):
    container = {"name": "adapter", "resources": RESOURCES}
    return {"patches": [{"main": {"spec": {"template": {"spec": {"containers": [container]}}}}}]}


def finalize(request):
    instance = request["object"]
    if f"{instance['namespace']}/{instance['name']}" in KEPT:
        return {"error": {"message": "still in use", "halt": True}}
    return {}


PHASES = {"pre-reconcile": pre_reconcile, "post-reconcile": post_reconcile, "finalize": finalize}


class Hook(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        reply = json.dumps(PHASES[request["phase"]](request)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_args):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer((os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8080"))), Hook)
    print(f"hook listens on port {server.server_port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        sys.exit(0)
