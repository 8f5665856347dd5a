import { useTranslation } from 'react-i18next';
import { canBeClient, type RuleAction } from '../../api/domain-rule-text.ts';
import {
  type AppliedRule,
  addPermanentRule,
  addTimedRule,
  type DomainRule,
  RulesDisabledError,
} from '../../api/domain-rules.ts';
import type { Device } from '../../api/wire.ts';
import { notifyError, notifyWithUndo } from '../../components/notify.tsx';
import { useAction } from '../../components/use-action.ts';
import type { LogRow } from './log-rows.ts';

/** Where and how long a new rule applies; minutes apply to the whole profile. */
const choices = ['device', 'profile', 60, 10] as const;
export type Choice = (typeof choices)[number];

export type Decision = {
  readonly row: LogRow;
  readonly action: RuleAction;
  /** The device of the row, if it still exists. */
  readonly device: Pick<Device, 'id' | 'name'> | undefined;
};

/** A rule for one device names it, so the device must exist. */
export const choicesFor = ({ device }: Pick<Decision, 'device'>): readonly Choice[] =>
  choices.filter((choice) => choice !== 'device' || (device !== undefined && canBeClient(device.name)));

const apply = (rule: Omit<DomainRule, 'device'>, device: Decision['device'], choice: Choice): Promise<AppliedRule> =>
  typeof choice === 'number'
    ? addTimedRule(rule, choice)
    : addPermanentRule({ ...rule, device: choice === 'device' ? device : undefined });

/** Adds an allow or block rule for the domain of a query, with undo. */
export function useDecide() {
  const { t } = useTranslation('log');
  const undoing = useAction((applied: AppliedRule) => applied.undo());
  const deciding = useAction(
    async ({ row, action, device, choice }: Decision & { choice: Choice }): Promise<AppliedRule | undefined> => {
      try {
        return await apply({ server: row.dns_server_id, domain: row.domain, action }, device, choice);
      } catch (error) {
        if (!(error instanceof RulesDisabledError)) throw error;
        notifyError(t('decide.off'));
        return undefined;
      }
    },
    {
      onDone: (applied, { row: { domain: name }, action, device, choice }) => {
        if (!applied) return;
        const how = t(`decide.how.${choice}`, { device: device?.name ?? '' });
        const overriddenBy = applied.overriddenBy && t('decide.stronger', { rule: applied.overriddenBy.rule });
        const message = [t(`decide.${action}.done`, { name, how }), overriddenBy].filter(Boolean).join(' ');
        notifyWithUndo(message, () => undoing.mutate(applied));
      },
    },
  );
  return { isPending: deciding.isPending, decide: deciding.mutate };
}
