import { Button, Menu } from '@mantine/core';
import { IconBan, IconCheck, IconChevronDown } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { canBeRule } from '../../api/domain-rule-text.ts';
import classes from './log-table.module.css';
import { type Choice, choicesFor, type Decision, useDecide } from './use-decide.ts';

const icons = { block: IconBan, allow: IconCheck };
const colours = { block: 'red', allow: 'water' };

/** Button with a menu that adds an allow or block rule for the domain of a query. */
export function RuleMenu({ decision }: { decision: Decision }) {
  const { t } = useTranslation('log');
  const { decide, isPending } = useDecide();
  const { action, row } = decision;
  const Icon = icons[action];
  if (!canBeRule(row.domain)) return null;
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          variant="light"
          color={colours[action]}
          loading={isPending}
          leftSection={<Icon size={17} />}
          rightSection={<IconChevronDown size={15} />}
        >
          {t(`decide.${action}.button`)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <ChoiceItems decision={decision} onChoose={(choice) => decide({ ...decision, choice })} />
      </Menu.Dropdown>
    </Menu>
  );
}

function ChoiceItems({ decision, onChoose }: { decision: Decision; onChoose: (choice: Choice) => void }) {
  const { t } = useTranslation('log');
  return choicesFor(decision).map((choice, nth) => (
    <Menu.Item key={choice} data-autofocus={nth === 0 || undefined} onClick={() => onChoose(choice)}>
      {t(`decide.for.${choice}`)}
    </Menu.Item>
  ));
}

export type RowDecision = Decision & { readonly element: HTMLElement };

/** The same menu beside a row. One for the whole table: a menu per row would slow scrolling down. */
export function RowRuleMenu({ decision, onClose }: { decision: RowDecision | undefined; onClose: () => void }) {
  const { t } = useTranslation('log');
  const { decide } = useDecide();
  if (!decision) return null;
  const { element, action, row } = decision;
  const { left, top, width, height } = element.getBoundingClientRect();
  const close = (): void => {
    onClose();
    element.focus({ preventScroll: true });
  };
  return (
    <Menu
      opened
      onClose={close}
      position="bottom-end"
      returnFocus={false}
      width={260}
      // The keydown event that opened the menu must not close it.
      clickOutsideEvents={['mousedown', 'touchstart']}
    >
      <Menu.Target>
        <button
          type="button"
          aria-hidden
          tabIndex={-1}
          className={classes['anchor']}
          style={{ left, top, width, height }}
        />
      </Menu.Target>
      <Menu.Dropdown aria-label={t(`decide.${action}.button`)}>
        <Menu.Label style={{ overflowWrap: 'anywhere' }}>
          {t(`decide.${action}.title`, { name: row.domain })}
        </Menu.Label>
        <ChoiceItems
          decision={decision}
          onChoose={(choice) => {
            decide({ ...decision, choice });
            close();
          }}
        />
      </Menu.Dropdown>
    </Menu>
  );
}
