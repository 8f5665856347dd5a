import Type from 'typebox';
import { invalid } from '../domain/domain-error.ts';
import { err, ok, type Result } from '../kit/result.ts';
import type { Caller } from './authenticate.ts';
import type { Deps, SettingState } from './deps.ts';
import type { ApiError } from './errors.ts';
import { mutation, type Operation, query } from './operation.ts';
import { operatorOnly } from './operator.ts';
import { OperatorSetting, OperatorSettingUpdate, settingToWire } from './wire/maintenance.ts';

const group = 'System';
const byName = Type.Object({ setting_name: Type.String({ description: 'Name of a setting.' }) });

type Change = { readonly before: SettingState; readonly after: SettingState };

async function change(
  deps: Deps,
  caller: Caller,
  name: string,
  values: readonly string[] | undefined,
): Promise<Result<Change, ApiError>> {
  const refused = await operatorOnly(deps, caller);
  if (!refused.ok) return refused;
  const before = deps.settings.find(name);
  if (!before) return err({ kind: 'not found', what: 'setting' });
  if (values && !before.isList && values.length !== 1) return err(invalid('values', 'must have exactly one value'));
  const changed = await deps.settings.set(name, values);
  return changed.ok ? ok({ before, after: changed.value }) : err(invalid('values', changed.error));
}

const noteOf = ({ before, after }: Change) => ({
  action: 'system.setting',
  subject: after.name,
  before: { values: before.values },
  after: { values: after.values },
});

export const operatorSettingOperations: readonly Operation[] = [
  query({
    method: 'GET',
    path: '/api/v1/system/settings',
    operationId: 'listOperatorSettings',
    requires: 'self',
    group,
    summary: 'List the settings of the service',
    description: 'Only for the operator. Each setting with the value in use on this node and where it comes from.',
    reply: Type.Array(OperatorSetting),
    responseDescription: 'All settings.',
    run: async (_store, { caller }, deps) => {
      const refused = await operatorOnly(deps, caller);
      return refused.ok ? ok(deps.settings.list().map(settingToWire)) : refused;
    },
  }),
  mutation({
    method: 'PUT',
    path: '/api/v1/system/settings/:setting_name',
    operationId: 'updateOperatorSetting',
    requires: 'self',
    group,
    summary: 'Change a setting of the service',
    description:
      'Only for the operator, and for settings that change without a restart. Stored in the data folder of this node and applied at once. A flag, variable or line of the settings file has precedence: then the change is rejected.',
    params: byName,
    body: OperatorSettingUpdate,
    reply: OperatorSetting,
    responseDescription: 'The setting with its new value.',
    errors: [400, 404],
    prepare: (deps, { caller, params, body }) => change(deps, caller, params.setting_name, body.values),
    run: async (_store, _asked, _deps, changed) => ok({ reply: settingToWire(changed.after), audit: noteOf(changed) }),
  }),
  mutation({
    method: 'DELETE',
    path: '/api/v1/system/settings/:setting_name',
    operationId: 'resetOperatorSetting',
    requires: 'self',
    group,
    summary: 'Reset a setting of the service',
    description: 'Only for the operator. Deletes the stored value, so that the default applies again.',
    params: byName,
    reply: OperatorSetting,
    responseDescription: 'The setting with its default.',
    errors: [400, 404],
    prepare: (deps, { caller, params }) => change(deps, caller, params.setting_name, undefined),
    run: async (_store, _asked, _deps, changed) => ok({ reply: settingToWire(changed.after), audit: noteOf(changed) }),
  }),
];
