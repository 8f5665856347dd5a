import { ActionIcon, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from './copy-text.ts';

const SHOWN_MS = 1500;

export function CopyButton({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation('common');
  const [isCopied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await copyText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  const tooltip = isCopied ? t('copied') : t('copy', { what: label });
  return (
    <Tooltip label={tooltip}>
      <ActionIcon
        variant="subtle"
        color={isCopied ? 'green' : 'gray'}
        size="lg"
        aria-label={tooltip}
        onClick={() => void copy()}
      >
        {isCopied ? <IconCheck size={17} /> : <IconCopy size={17} stroke={1.6} />}
      </ActionIcon>
    </Tooltip>
  );
}
