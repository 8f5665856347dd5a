import '@mantine/notifications/styles.css';
import { Notifications as Stack } from '@mantine/notifications';
import classes from './notifications.module.css';

/** Notifications beside the page: in the navigation, or below the content on a small screen. */
export const Notifications = () => (
  <Stack position="bottom-left" limit={4} classNames={{ root: classes['stack'] ?? '' }} />
);
