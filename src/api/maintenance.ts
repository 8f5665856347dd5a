import Type from 'typebox';
import { err, ok } from '../kit/result.ts';
import { auditEntry } from '../operations/audit-entry.ts';
import { mutation, type Operation, query } from './operation.ts';
import { operatorOnly } from './operator.ts';
import { DoctorFinding, UpstreamTest, UpstreamTestResult } from './wire/maintenance.ts';

const group = 'System';
const CACHE_BUSY_SECONDS = 1;

export const maintenanceOperations: readonly Operation[] = [
  query({
    method: 'POST',
    path: '/api/v1/system/upstreams/test',
    operationId: 'testUpstream',
    requires: 'self',
    group,
    summary: 'Test an upstream',
    description: 'Only for the operator. Sends one query through the upstream, over a new connection.',
    body: UpstreamTest,
    reply: UpstreamTestResult,
    responseDescription: 'Time of the answer, or why there was none.',
    errors: [400],
    run: async (_store, { caller, body }, deps) => {
      const refused = await operatorOnly(deps, caller);
      if (!refused.ok) return refused;
      const answer = await deps.maintenance.askUpstream(body.upstream);
      return ok(
        answer.kind === 'answer'
          ? { is_answered: true, time_ms: answer.ms }
          : { is_answered: false, problem: answer.why },
      );
    },
  }),
  query({
    method: 'GET',
    path: '/api/v1/system/doctor',
    operationId: 'runDoctor',
    requires: 'self',
    group,
    summary: 'Run the checks of `weir doctor`',
    description:
      'Only for the operator. Checks ports, permissions, disk, upstreams, certificate and clock of this node.',
    reply: Type.Array(DoctorFinding),
    responseDescription: 'One result per check.',
    run: async (_store, { caller }, deps) => {
      const refused = await operatorOnly(deps, caller);
      return refused.ok ? ok([...(await deps.maintenance.examine())]) : refused;
    },
  }),
  mutation({
    method: 'DELETE',
    path: '/api/v1/system/cache',
    operationId: 'clearCache',
    requires: 'self',
    group,
    summary: 'Clear the DNS cache',
    description: 'Only for the operator. The next query of each name is sent to an upstream.',
    responseDescription: 'Cleared.',
    prepare: async (deps, { caller }) => {
      const refused = await operatorOnly(deps, caller);
      if (!refused.ok) return refused;
      return deps.maintenance.clearCache()
        ? ok(undefined)
        : err({ kind: 'slow down', retryAfterSeconds: CACHE_BUSY_SECONDS });
    },
    errors: [429],
    run: async () => ok({ reply: undefined, audit: { action: 'system.clear_cache' } }),
  }),
  mutation({
    method: 'POST',
    path: '/api/v1/system/certificates/reload',
    operationId: 'reloadCertificates',
    requires: 'self',
    group,
    summary: 'Read the certificate files again',
    description:
      'Only for the operator. New connections use the new certificates; invalid files are logged and not used.',
    responseDescription: 'The files were read.',
    prepare: async (deps, { caller }) => {
      const refused = await operatorOnly(deps, caller);
      if (!refused.ok) return refused;
      await deps.maintenance.reloadCertificates();
      return ok(undefined);
    },
    run: async () => ok({ reply: undefined, audit: { action: 'system.reload_certificates' } }),
  }),
  query({
    method: 'GET',
    path: '/api/v1/system/backup',
    operationId: 'downloadBackup',
    requires: 'self',
    group,
    summary: 'Download the newest backup',
    description: 'Only for the operator. The file contains passwords and keys of all accounts. Audited.',
    replyType: 'application/octet-stream',
    responseDescription: 'The backup, for `weir restore`.',
    errors: [404],
    run: async (_store, { caller, from }, deps) => {
      const refused = await operatorOnly(deps, caller);
      if (!refused.ok) return refused;
      const backup = await deps.openBackup();
      if (!backup) return err({ kind: 'not found', what: 'backup' });
      const { name, bytes, content } = backup;
      const note = { action: 'system.download_backup', subject: name };
      await deps.store.inTransaction(({ audit }) => audit.add(auditEntry(deps, { ...caller, from }, note)));
      return ok({
        headers: {
          'content-type': 'application/octet-stream',
          'content-length': String(bytes),
          'content-disposition': `attachment; filename="${name}"`,
        },
        content,
      });
    },
  }),
];
