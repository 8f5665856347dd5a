/** A DNS node without a database that follows a controller. Only the hash of its key is stored. */
export type ClusterNode = {
  readonly id: string;
  readonly name: string;
  readonly hash: string;
  /** First characters of the key, shown to identify it. */
  readonly hint: string;
  readonly createdAt: number;
  /** Undefined until the node reports for the first time. */
  readonly status: NodeStatus | undefined;
};

/** The last report of a node. */
export type NodeStatus = {
  readonly at: number;
  readonly version: string;
  /** Revision of the newest settings change that the node has read. */
  readonly revision: number;
  /** Time since the node was last up to date with all changes. */
  readonly lagMs: number;
  readonly address: string;
};

export const MAX_NODES = 1000;
