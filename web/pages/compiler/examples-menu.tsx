import { Button, Menu, Text } from '@mantine/core';
import { IconBulb } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { examples } from './examples.ts';

type Props = { readonly onChoose: (example: (typeof examples)[number]) => void };

export function ExamplesMenu({ onChoose }: Props) {
  const { t } = useTranslation('compiler');
  return (
    <Menu position="bottom-end" width={320}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconBulb size={18} stroke={1.6} />}>
          {t('examples.open')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {examples.map((example) => (
          <Menu.Item key={example.id} onClick={() => onChoose(example)}>
            <Text size="sm" fw={500}>
              {t(`examples.${example.id}.title`)}
            </Text>
            <Text size="xs" c="dimmed">
              {t(`examples.${example.id}.text`)}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
