import { Group, Text } from '@mantine/core';
import mark from './logo.svg';

export const Logo = ({ size = 26 }: { size?: number }) => (
  <Group gap={10} wrap="nowrap">
    <img src={mark} width={size} height={size} alt="" />
    <Text fw={700} fz={size * 0.72} lh={1} lts="-0.01em">
      Weir
    </Text>
  </Group>
);
