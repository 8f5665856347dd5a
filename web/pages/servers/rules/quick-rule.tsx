import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { opposite, type RuleAction, ruleText } from '../../../api/domain-rule-text.ts';
import { domainOf } from './domain-of.ts';

type Props = { readonly rules: readonly string[]; readonly onChange: (rules: string[]) => void };

/** Blocks or allows a domain without rule syntax; the new rule replaces the opposite one. */
export function QuickRule({ rules, onChange }: Props) {
  const { t } = useTranslation(['servers', 'log', 'messages']);
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const add = (action: RuleAction): void => {
    const domain = domainOf(text);
    setWrong(domain === undefined);
    if (domain === undefined) return;
    const replaced = new Set([ruleText(action, domain), ruleText(opposite[action], domain)]);
    onChange([...rules.filter((rule) => !replaced.has(rule.trim())), ruleText(action, domain)]);
    setText('');
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        add('block');
      }}
    >
      <Group gap="xs" align="flex-start">
        <TextInput
          flex="1 1 12rem"
          maw={420}
          aria-label={t('rules.quick')}
          placeholder={t('rules.quick')}
          autoCapitalize="none"
          spellCheck={false}
          value={text}
          error={isWrong && t('messages:domain.any')}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setWrong(false);
          }}
        />
        <Button type="submit" variant="default">
          {t('log:decide.block.button')}
        </Button>
        <Button variant="default" onClick={() => add('allow')}>
          {t('log:decide.allow.button')}
        </Button>
      </Group>
    </form>
  );
}
