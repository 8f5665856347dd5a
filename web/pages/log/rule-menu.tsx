import { Button, Menu } from '@mantine/core';
import { IconBan, IconCheck, IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import {
  type AppliedRule,
  addPermanentRule,
  addTimedRule,
  canBeRule,
  type RuleAction,
  RulesDisabledError,
  temporaryRulesQuery,
} from '../../api/domain-rules.ts';
import { notifyError, notifyWithUndo } from '../../components/notify.tsx';
import { useAction } from '../../components/use-action.ts';

type Props = { readonly action: RuleAction; readonly name: string; readonly server: string };

type Choice = { readonly action: RuleAction; readonly minutes?: (typeof durations)[number] };

const icons = { block: IconBan, allow: IconCheck };
const colours = { block: 'red', allow: 'water' };
const durations = [10, 60] as const;

/** Menu that adds an allow or block rule for a domain, temporarily or permanently, with undo. */
export function RuleMenu({ action, name, server }: Props) {
  const { t } = useTranslation('log');
  // Older services do not support temporary rules.
  const { isSuccess: hasTemporaryRules } = useQuery(temporaryRulesQuery(server));
  const undoing = useAction((applied: AppliedRule) => applied.undo());
  const applying = useAction(
    async ({ minutes }: Choice): Promise<AppliedRule | undefined> => {
      try {
        return await (minutes === undefined
          ? addPermanentRule(server, name, action)
          : addTimedRule(server, name, action, minutes));
      } catch (error) {
        if (!(error instanceof RulesDisabledError)) throw error;
        notifyError(t('decide.off'));
        return undefined;
      }
    },
    {
      onDone: (applied, { minutes }) => {
        if (!applied) return;
        const message = t(`decide.${action}.done`, { name, how: t(`decide.how.${minutes ?? 'always'}`) });
        const overriddenBy = applied.overriddenBy && t('decide.stronger', { rule: applied.overriddenBy.rule });
        notifyWithUndo([message, overriddenBy].filter(Boolean).join(' '), () => undoing.mutate(applied));
      },
    },
  );
  const Icon = icons[action];
  if (!canBeRule(name)) return null;
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          variant="light"
          color={colours[action]}
          loading={applying.isPending}
          leftSection={<Icon size={17} />}
          rightSection={<IconChevronDown size={15} />}
        >
          {t(`decide.${action}.button`)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {hasTemporaryRules &&
          durations.map((minutes) => (
            <Menu.Item key={minutes} onClick={() => applying.mutate({ action, minutes })}>
              {t(`decide.for.${minutes}`)}
            </Menu.Item>
          ))}
        <Menu.Item onClick={() => applying.mutate({ action })}>{t('decide.for.always')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
