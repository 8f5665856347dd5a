import Type from 'typebox';
import { err, ok } from '../kit/result.ts';
import { createNode, revokeNode } from '../operations/nodes.ts';
import { mutation, type Operation, query } from './operation.ts';
import { operatorOnly } from './operator.ts';
import { object } from './wire/named.ts';
import { NewNode, Node, nodeToWire } from './wire/nodes.ts';

const group = 'System';

const NodeCreate = object('NodeCreate', 'Name of the node.', { name: Type.String({ minLength: 1, maxLength: 64 }) });

export const nodeOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/nodes',
    operationId: 'listNodes',
    requires: 'self',
    group,
    summary: 'List DNS nodes with a node key',
    description: 'Only for the operator.',
    reply: Type.Array(Node),
    responseDescription: 'Nodes and their last reports, without keys.',
    run: async (store, { caller }, deps) => {
      const refused = await operatorOnly(deps, caller);
      return refused.ok ? ok((await store.nodes.list()).map(nodeToWire)) : refused;
    },
  }),
  mutation({
    method: 'POST',
    path: '/api/v1/nodes',
    operationId: 'createNode',
    requires: 'self',
    group,
    summary: 'Create a node key',
    description:
      'Only for the operator. With the key a DNS node without a database reads the settings of all accounts.',
    body: NodeCreate,
    reply: NewNode,
    responseDescription: 'The node. Its key is returned only in this response.',
    errors: [400],
    prepare: (deps, { caller }) => operatorOnly(deps, caller),
    run: async (store, { body }, deps) => {
      const created = await createNode(store, deps, body.name);
      if (!created.ok) return created;
      const { node, secret, audit } = created.value;
      return ok({ reply: { ...nodeToWire(node), node_key: secret }, audit });
    },
  }),
  mutation({
    method: 'DELETE',
    path: '/api/v1/nodes/:node_id',
    operationId: 'revokeNode',
    requires: 'self',
    group,
    summary: 'Revoke a node key',
    description: 'Only for the operator. Requests with the key are rejected from now on.',
    params: Type.Object({ node_id: Type.String() }),
    responseDescription: 'Key revoked.',
    errors: [404],
    prepare: (deps, { caller }) => operatorOnly(deps, caller),
    run: async (store, { params }) => {
      const revoked = await revokeNode(store, ({ id }) => id === params.node_id);
      return revoked ? ok({ reply: undefined, audit: revoked.audit }) : err({ kind: 'not found', what: 'node' });
    },
  }),
];
