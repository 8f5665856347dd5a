import Type, { type Static } from 'typebox';
import type { SettingState } from '../deps.ts';
import { enumeration, int32, object } from './named.ts';

export const OperatorSetting = object('OperatorSetting', 'A setting of the service, with the value in use.', {
  name: Type.String({ description: 'As in the settings file.' }),
  section: Type.String(),
  help: Type.String(),
  placeholder: Type.String({ description: 'Form of a value, for example `COUNT`.' }),
  is_list: Type.Boolean(),
  choices: Type.Array(Type.String(), { description: 'Possible values; empty if there are others.' }),
  values: Type.Array(Type.String(), { description: 'Values in use, without passwords; empty if not set.' }),
  source: enumeration('SettingSource', ['flag', 'environment', 'file', 'stored', 'default']),
  place: Type.Optional(Type.String({ description: 'The flag, variable or line that sets it.' })),
  is_live: Type.Boolean({ description: 'Whether a change takes effect without a restart.' }),
  pending: Type.Optional(Type.Array(Type.String(), { description: 'Values after a restart, if they differ.' })),
});

export const settingToWire = (state: SettingState): Static<typeof OperatorSetting> => ({
  name: state.name,
  section: state.section,
  help: state.help,
  placeholder: state.placeholder,
  is_list: state.isList,
  choices: [...state.choices],
  values: [...state.values],
  source: state.source,
  ...(state.place !== undefined && { place: state.place }),
  is_live: state.isLive,
  ...(state.pending && { pending: [...state.pending] }),
});

export const OperatorSettingUpdate = object('OperatorSettingUpdate', 'New values of a setting.', {
  values: Type.Array(Type.String({ maxLength: 2000 }), {
    maxItems: 1000,
    description: 'One value, or the members of a list.',
  }),
});

export const UpstreamTest = object('UpstreamTest', 'The upstream to test.', {
  upstream: Type.String({ minLength: 1, maxLength: 2000, description: 'In the form of the setting `upstream`.' }),
});
export const UpstreamTestResult = object('UpstreamTestResult', 'Result of a query through the upstream.', {
  is_answered: Type.Boolean(),
  time_ms: Type.Optional(int32({ description: 'Time until the answer, with the connection.' })),
  problem: Type.Optional(Type.String({ description: 'Why there was no answer.' })),
});

export const DoctorFinding = object('DoctorFinding', 'The result of one check of `weir doctor`.', {
  check: Type.String(),
  state: enumeration('DoctorState', ['ok', 'warning', 'problem']),
  text: Type.String(),
  advice: Type.Optional(Type.String({ description: 'How to correct it.' })),
});
