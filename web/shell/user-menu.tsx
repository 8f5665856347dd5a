import { IconLogout } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../api/query-client.ts';
import { memberQuery, signOut } from '../api/session.ts';
import classes from './shell.module.css';

export function UserMenu() {
  const { t } = useTranslation();
  const router = useRouter();
  const { data: member } = useQuery(memberQuery);
  const signingOut = useMutation({
    mutationFn: signOut,
    onSettled: async () => {
      await router.navigate({ to: '/sign-in' });
      // The next user must not see cached data.
      queryClient.clear();
    },
  });
  if (!member) return null;
  return (
    <div className={classes['user']}>
      <div className={classes['member']}>
        <bdi className={classes['email']} title={member.email}>
          {member.email}
        </bdi>
        <span className={classes['role']}>{t(`roles.${member.role}`)}</span>
      </div>
      <button
        type="button"
        className={classes['button']}
        aria-label={t('signOut')}
        title={t('signOut')}
        disabled={signingOut.isPending}
        onClick={() => signingOut.mutate()}
      >
        <IconLogout size={18} stroke={1.6} aria-hidden />
      </button>
    </div>
  );
}
