import '@mantine/notifications/styles.css';
import { Notifications as Stack } from '@mantine/notifications';

export const Notifications = () => <Stack position="bottom-right" limit={4} />;
