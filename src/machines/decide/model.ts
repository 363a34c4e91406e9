import type { Json } from '#base/json.ts';
import type { Millis } from '#base/time.ts';

/**
 * A place in the user's input. `file` is a path or a flag; for objects it is `Machine NAME`, or empty for the Cluster.
 * `pointer` is a JSON pointer (RFC 6901).
 */
export type Origin = { readonly file: string; readonly pointer: string };

export type NodeRole = 'master' | 'worker' | 'etcd' | 'loadbalance';

export type OperationKind =
  | 'bootstrap'
  | 'cluster.create'
  | 'cluster.upgrade'
  | 'cluster.delete'
  | 'node.join'
  | 'node.upgrade'
  | 'node.delete';

export const isRemoval = (operation: OperationKind): boolean =>
  operation === 'cluster.delete' || operation === 'node.delete';

/** `ready` exists for bootstrap only. */
export type Point = 'pre' | 'ready' | 'post';

/**
 * The place of a secret, never the secret itself, which is read only when it is sent. So a
 * cluster, a plan and a journal can be printed as they are.
 */
export type SecretRef =
  | {
      readonly type: 'document';
      readonly file: string;
      readonly pointer: string;
      readonly encoding: 'base64' | 'plain';
    }
  | { readonly type: 'file'; readonly path: string }
  /** Derived by Boathook; the same at every read within one operation. */
  | {
      readonly type: 'derived';
      readonly name: string;
      readonly shape: 'bootstrap-token' | 'certificate-key';
    };

/** In the order in which they are tried. */
export type LoginMethod =
  | { readonly type: 'password'; readonly password: SecretRef }
  | {
      readonly type: 'privateKey';
      readonly key: SecretRef;
      readonly passphrase?: SecretRef;
    }
  | { readonly type: 'agent' };

export type NodeLogin = {
  readonly user: string;
  readonly methods: readonly LoginMethod[];
  /** Scripts run as root: another user needs `sudo` without a password. */
  readonly sudo: boolean;
};

export type Jump = {
  readonly address: string;
  readonly port: number;
  readonly login: NodeLogin;
  /** `SHA256:…` as ssh-keygen prints it. */
  readonly hostKey?: string;
};

export type ClusterNode = {
  /** Unique within the cluster. */
  readonly name: string;
  readonly address: string;
  readonly port: number;
  readonly roles: readonly NodeRole[];
  readonly login: NodeLogin;
  readonly jump?: Jump;
  /** `SHA256:…` as ssh-keygen prints it; without it known_hosts decides. */
  readonly hostKey?: string;
  readonly arch?: string;
  /** Labels and taints that are set when the node has joined. */
  readonly marks?: NodeMarks;
  readonly origin: Origin;
};

/** In the syntax of kubectl: `disk=ssd`, and `gpu=yes:NoSchedule` or `gpu:NoSchedule`. */
export type NodeMarks = { readonly labels: readonly string[]; readonly taints: readonly string[] };

export type DeclaredCluster = {
  readonly id: string;
  readonly format: 'tkestack' | 'eggo';
  readonly file: string;
  /** In the order of the file; the first of a role is the one that once-hooks run on. */
  readonly nodes: readonly ClusterNode[];
  readonly endpoint: { readonly host: string; readonly port: number };
  readonly configDir: string;
  readonly version?: string;
  readonly podCidr?: string;
  readonly serviceCidr?: string;
  readonly dnsDomain?: string;
  readonly certificateNames: readonly string[];
  readonly runtimeEndpoint?: string;
  /** False: nodes keep their pods while they are upgraded. */
  readonly drainsForUpgrade?: boolean;
  /** False: an upgrade of the cluster upgrades its masters only. */
  readonly upgradesWorkers?: boolean;
  /**
   * Digests of the CAs whose machines count as this cluster's where they name no cluster; with `adopt:` before it
   * whatever they name; `*`: any machine.
   */
  readonly accepts?: readonly string[];
};

export type HookScope =
  | { readonly type: 'local' }
  /** The first node of the role, in the order of the file. */
  | { readonly type: 'once'; readonly role: NodeRole }
  /** Every node concerned that has one of the roles; undefined: every node concerned. */
  | { readonly type: 'each'; readonly roles?: readonly NodeRole[] };

/** What runs. Argument lists are passed element by element and never see a shell. */
export type HookAction =
  /** A file that `FileDelivery` has put on the node. */
  | {
      readonly type: 'delivered';
      readonly path: string;
      readonly argv: readonly string[];
    }
  /**
   * A local script, or a folder whose scripts run one after the other in the byte order of their names; sent into the
   * job's own folder. The first candidate that exists is meant; `a.tar.gz!/file/x.sh` is a file in an archive.
   */
  | {
      readonly type: 'source';
      readonly candidates: readonly string[];
      readonly argv: readonly string[];
    }
  /** Packages, images, manifests or files to be on the node, each found at the first candidate that exists. */
  | {
      readonly type: 'item';
      readonly item: ItemType;
      readonly names: readonly string[];
      /** Relative names are below this folder. */
      readonly folder: string;
      /** Unpacked packages, and archives with a `!` at the end, by architecture. */
      readonly packages: Readonly<Record<string, string>>;
      /** Where files go: a folder on the node. */
      readonly dst: string;
      readonly argv: readonly string[];
    };

/** What eggo's `addition` may list beside scripts. */
export type ItemType = 'repo' | 'pkg' | 'bin' | 'file' | 'dir' | 'image' | 'yaml';

export type Retry = {
  /** Undefined: no limit. */
  readonly max?: number;
  readonly initial: Millis;
  readonly factor: number;
  readonly cap: Millis;
};

export type Policy = {
  /** Undefined: no limit. */
  readonly timeout?: Millis;
  readonly onFailure: 'retry' | 'abort' | 'isolate-node' | 'ignore';
  readonly retry: Retry;
  readonly onUnknown: 'rerun' | 'fail';
  /** How many nodes at a time; undefined: as many as the operation may. */
  readonly parallel?: number;
  /** Bytes kept of each of stdout and stderr on the node. */
  readonly outputLimit: number;
};

/** Decides which environment variables a hook gets beside `BOATHOOK_…`. */
export type Dialect = 'tkestack' | 'eggo' | 'installer';

export type Binding = {
  /** Unique within the file: `PreInstall`, `prehook/0`, `addition/master/0`. */
  readonly name: string;
  readonly operations: readonly OperationKind[];
  readonly point: Point;
  readonly scope: HookScope;
  readonly action: HookAction;
  readonly policies: Readonly<Partial<Record<OperationKind, Policy>>>;
  /** Lower runs further out: cluster level around node level, flags around items. */
  readonly depth: number;
  readonly dialect: Dialect;
  /** Runs before all hooks (`addition`), or when the cluster is up and before its post hooks (`addons`). */
  readonly stage?: 'addition' | 'addons';
  /** Working directory, for hooks on the operator's machine. */
  readonly cwd?: string;
  /** TKEStack's condition type, `EnsurePreInstallHook`. */
  readonly condition?: string;
  readonly origin: Origin;
  /** The value at the origin as the user wrote it. */
  readonly declared: Json;
};

/** One entry of `features.files`; `src` is resolved against the folder of the file. */
export type FileEntry = {
  /** Absolute. */
  readonly src: string;
  readonly dst: string;
  readonly recursive: boolean;
  readonly origin: Origin;
  readonly declared: Json;
};

/** One regular file to be on a node before any hook. */
export type FileDelivery = {
  readonly src: string;
  readonly dst: string;
  readonly digest: string;
  readonly size: number;
  readonly mode: number;
  /** The folder that it is delivered with: the destination of a folder, or where a single file lies. */
  readonly root?: string;
};

/** A path in the operator's file system, links followed. */
export type SourceFact =
  | { readonly type: 'missing' }
  | {
      readonly type: 'refused';
      readonly what: string;
      readonly linkTo?: string;
    }
  | SourceFile
  | {
      readonly type: 'directory';
      readonly linkTo?: string;
      /** Direct children, sorted by name in byte order. */
      readonly children: readonly SourceChild[];
    };

export type SourceFile = {
  readonly type: 'file';
  readonly linkTo?: string;
  /** `sha256:` and hex digits. */
  readonly digest: string;
  readonly size: number;
  readonly mode: number;
  /** Whether it begins with `#!`. */
  readonly interpreter: boolean;
};

export type SourceChild = {
  readonly name: string;
  /** A folder's own children are there when the folder was listed to its depths. */
  readonly fact: SourceFact;
};

/** A folder with everything below it, as it is sent to the machines with a script. */
export type FolderFact =
  | {
      readonly type: 'folder';
      /** In the byte order of their names. */
      readonly files: readonly FolderFile[];
      /** What does not go along, with the reason. */
      readonly leftOut: readonly { readonly name: string; readonly why: string }[];
      readonly links: readonly { readonly name: string; readonly to: string }[];
    }
  /** `what` completes a sentence that begins with the folder's path. */
  | { readonly type: 'refused'; readonly what: string };

export type FolderFile = {
  /** Below the folder, with slashes. */
  readonly name: string;
  readonly path: string;
  readonly digest: string;
  readonly size: number;
  readonly mode: number;
};

export type NodeFact = {
  readonly arch?: string;
  readonly hostname?: string;
};

/** Everything a plan needs to know of the world. */
export type Facts = {
  /** By absolute path. */
  readonly sources: ReadonlyMap<string, SourceFact>;
  /** Folders of scripts by absolute path. */
  readonly folders?: ReadonlyMap<string, FolderFact>;
  /** By node name; a node that was not inspected is absent. */
  readonly nodes: ReadonlyMap<string, NodeFact>;
  /** `sha256:` and hex digits of a text in UTF-8. */
  readonly sha256: (text: string) => string;
};
