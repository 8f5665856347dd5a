import { Button, Group, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { accountTimeZoneQuery } from '../../../api/account-time-zone.ts';
import { Section } from '../../../components/section.tsx';
import { useEditor } from '../draft/use-editor.ts';
import classes from './parental.module.css';
import { ParentalSwitch } from './parental-switch.tsx';
import {
  DAY,
  type DayName,
  dayNames,
  fieldText,
  fromField,
  type Pause,
  type Week,
  weekOf,
  weekToWire,
} from './week.ts';
import { WeekEditor } from './week-editor.tsx';

/** Pauses of parental control as a chart and as fields. */
export function ScheduleSection() {
  const { t } = useTranslation('servers');
  const { settings, change, canEdit, errorOf } = useEditor();
  const { data: zone } = useQuery(accountTimeZoneQuery);
  const path = 'parental_control_settings.screen_time_schedule';
  const { screen_time_schedule, enabled } = settings.parental_control_settings;
  const week = weekOf(screen_time_schedule);
  const isDisabled = !canEdit || !enabled;
  const setWeek = (next: Week): void =>
    change({ parental_control_settings: { screen_time_schedule: weekToWire(next) } });
  const setDay = (day: DayName, pause: Pause): void => setWeek({ ...week, [day]: pause });
  return (
    <Section title={t('schedule.title')} text={t('schedule.text')}>
      <ParentalSwitch />
      {zone !== undefined && (
        <Text size="sm" c="dimmed">
          {t('schedule.zone', { zone })}
        </Text>
      )}
      <WeekEditor week={week} zone={zone} isDisabled={isDisabled} onChange={setDay} />
      <Stack gap="sm">
        {dayNames.map((day, nth) => (
          <DayFields
            key={day}
            day={day}
            pause={week[day]}
            isDisabled={isDisabled}
            error={errorOf(`${path}.daily_schedule[${nth}]`)}
            onChange={(pause) => setDay(day, pause)}
          />
        ))}
      </Stack>
      {canEdit && (
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            disabled={isDisabled}
            onClick={() => setWeek(Object.fromEntries(dayNames.map((day) => [day, week.MONDAY])) as Week)}
          >
            {t('schedule.copy')}
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={isDisabled}
            onClick={() =>
              setWeek(Object.fromEntries(dayNames.map((day) => [day, { ...week[day], enabled: false }])) as Week)
            }
          >
            {t('schedule.clear')}
          </Button>
        </Group>
      )}
    </Section>
  );
}

type DayProps = {
  readonly day: DayName;
  readonly pause: Pause;
  readonly isDisabled: boolean;
  readonly error: string | undefined;
  readonly onChange: (pause: Pause) => void;
};

function DayFields({ day, pause, isDisabled, error, onChange }: DayProps) {
  const { t } = useTranslation('servers');
  const name = t(`days.${day}`);
  return (
    <div className={classes['day']}>
      <Switch
        label={name}
        checked={pause.enabled}
        disabled={isDisabled}
        onChange={(event) => onChange({ ...pause, enabled: event.currentTarget.checked })}
      />
      <div className={classes['times']}>
        {(['from', 'to'] as const).map((edge) => (
          <TextInput
            key={edge}
            type="time"
            size="xs"
            aria-label={t(`schedule.${edge}`, { day: name })}
            disabled={isDisabled || !pause.enabled}
            value={fieldText(pause[edge])}
            onChange={(event) => {
              const minute = fromField(event.currentTarget.value);
              if (minute === undefined) return;
              onChange({ ...pause, [edge]: edge === 'to' && minute === DAY - 1 ? DAY : minute });
            }}
          />
        ))}
      </div>
      {error !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
    </div>
  );
}
