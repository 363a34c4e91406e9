#!/bin/bash
echo "postjoin on $EGGO_NODE_NAME"
