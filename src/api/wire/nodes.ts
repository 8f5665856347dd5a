import Type, { type Static } from 'typebox';
import type { ClusterNode } from '../../domain/cluster-node.ts';
import { int64, object } from './named.ts';

const millis = int64({ description: 'Milliseconds since 1970.' });

const members = {
  id: Type.String(),
  name: Type.String(),
  hint: Type.String({ description: 'First characters of the key.' }),
  created_millis: millis,
  status: Type.Optional(
    object('NodeStatus', 'The last report of the node.', {
      reported_millis: millis,
      version: Type.String(),
      revision: int64({ description: 'Revision of the newest settings change that the node has read.' }),
      lag_millis: int64({ description: 'Time since the node was last up to date with all changes.' }),
      address: Type.String({ description: 'Address from which the node connects.' }),
    }),
  ),
};
export const Node = object('Node', 'A DNS node without its key.', members);
export const NewNode = object('NewNode', 'A DNS node. The key is returned only in this response.', {
  ...members,
  node_key: Type.String(),
});

export const nodeToWire = ({ id, name, hint, createdAt, status }: ClusterNode): Static<typeof Node> => ({
  id,
  name,
  hint,
  created_millis: createdAt,
  ...(status && {
    status: {
      reported_millis: status.at,
      version: status.version,
      revision: status.revision,
      lag_millis: status.lagMs,
      address: status.address,
    },
  }),
});
