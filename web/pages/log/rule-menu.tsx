import { Button, Menu } from '@mantine/core';
import { IconBan, IconCheck, IconChevronDown } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import {
  canBeRule,
  type Done,
  decideForGood,
  decideForMinutes,
  RulesAreOff,
  temporaryRulesQuery,
  type Wish,
} from '../../api/domain-rules.ts';
import { notifyProblem, notifyWithUndo } from '../../components/notify.tsx';
import { useAction } from '../../components/use-action.ts';

type Props = { readonly wish: Wish; readonly name: string; readonly server: string };

type Choice = { readonly wish: Wish; readonly minutes?: (typeof offered)[number] };

const icons = { block: IconBan, allow: IconCheck };
const colours = { block: 'red', allow: 'water' };
const offered = [10, 60] as const;

/** "Block this", "allow this": for a while or for good, from the next query on, and to be taken back. */
export function DecideMenu({ wish, name, server }: Props) {
  const { t } = useTranslation('log');
  // Only where the service can end rules by itself.
  const { isSuccess: hasEnds } = useQuery(temporaryRulesQuery(server));
  const undoing = useAction((done: Done) => done.undo());
  const deciding = useAction(
    async ({ minutes }: Choice): Promise<Done | undefined> => {
      try {
        return await (minutes === undefined
          ? decideForGood(server, name, wish)
          : decideForMinutes(server, name, wish, minutes));
      } catch (error) {
        if (!(error instanceof RulesAreOff)) throw error;
        notifyProblem(t('decide.off'));
        return undefined;
      }
    },
    {
      onDone: (done, { minutes }) => {
        if (!done) return;
        const words = t(`decide.${wish}.done`, { name, how: t(`decide.how.${minutes ?? 'always'}`) });
        const stronger = done.stronger && t('decide.stronger', { rule: done.stronger.rule });
        notifyWithUndo([words, stronger].filter(Boolean).join(' '), () => undoing.mutate(done));
      },
    },
  );
  const Icon = icons[wish];
  if (!canBeRule(name)) return null;
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          variant="light"
          color={colours[wish]}
          loading={deciding.isPending}
          leftSection={<Icon size={17} />}
          rightSection={<IconChevronDown size={15} />}
        >
          {t(`decide.${wish}.button`)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {hasEnds &&
          offered.map((minutes) => (
            <Menu.Item key={minutes} onClick={() => deciding.mutate({ wish, minutes })}>
              {t(`decide.for.${minutes}`)}
            </Menu.Item>
          ))}
        <Menu.Item onClick={() => deciding.mutate({ wish })}>{t('decide.for.always')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
