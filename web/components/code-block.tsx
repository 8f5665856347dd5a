import { Code, Group } from '@mantine/core';
import { CopyButton } from './copy-button.tsx';

/** Command, file content or secret with a copy button. Long lines wrap. */
export const CodeBlock = ({ text, label }: { text: string; label: string }) => (
  <Group gap={4} wrap="nowrap" align="flex-start" dir="ltr">
    <Code
      block
      role="region"
      aria-label={label}
      flex={1}
      miw={0}
      style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
    >
      {text}
    </Code>
    <CopyButton text={text} label={label} />
  </Group>
);
