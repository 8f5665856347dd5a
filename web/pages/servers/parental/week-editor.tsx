import { type CSSProperties, type PointerEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../components/format.tsx';
import { useNow } from '../../../components/use-now.ts';
import classes from './parental.module.css';
import { DAY, type DayName, dayNames, moveEdge, type Pause, pauseBetween, STEP, type Week } from './week.ts';

type Props = {
  readonly week: Week;
  readonly zone: string | undefined;
  readonly isDisabled: boolean;
  readonly onChange: (day: DayName, pause: Pause) => void;
};

const hours = [0, 6, 12, 18, 24];
const at = (minute: number): CSSProperties => ({ ['--at' as string]: minute / DAY });

/** Week chart with one row per day. Pauses are drawn with the pointer; edges move with the pointer or the keyboard. */
export function WeekEditor({ week, zone, isDisabled, onChange }: Props) {
  const { t } = useTranslation('servers');
  const { time } = useFormat();
  const clock = clockIn(useNow(), zone);
  return (
    <div className={classes['week']}>
      <span />
      <div className={classes['hours']} aria-hidden>
        {hours.map((hour) => (
          <span key={hour} className={classes['hour']} style={at(hour * 60)}>
            {time(Date.UTC(2000, 0, 1, hour), { hour: 'numeric', timeZone: 'UTC' })}
          </span>
        ))}
      </div>
      {dayNames.map((day, nth) => (
        <DayLine
          key={day}
          short={t(`shortDays.${day}`)}
          name={t(`days.${day}`)}
          pause={week[day]}
          now={clock?.nth === nth ? clock.minute : undefined}
          isDisabled={isDisabled}
          onChange={(pause) => onChange(day, pause)}
        />
      ))}
    </div>
  );
}

type LineProps = {
  readonly short: string;
  readonly name: string;
  readonly pause: Pause;
  readonly now: number | undefined;
  readonly isDisabled: boolean;
  readonly onChange: (pause: Pause) => void;
};

type Drag = { readonly kind: 'draw'; readonly start: number } | { readonly kind: 'from' | 'to' };

function DayLine({ short, name, pause, now, isDisabled, onChange }: LineProps) {
  const track = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<Drag>();
  const minuteAt = ({ clientX }: PointerEvent): number => {
    const { left, right, width } = track.current!.getBoundingClientRect();
    const isRightToLeft = getComputedStyle(track.current!).direction === 'rtl';
    return ((isRightToLeft ? right - clientX : clientX - left) / width) * DAY;
  };
  const begin = (event: PointerEvent): void => {
    if (isDisabled || event.button !== 0) return;
    const edge = (event.target as HTMLElement).dataset['edge'];
    track.current!.setPointerCapture(event.pointerId);
    setDrag(edge === 'from' || edge === 'to' ? { kind: edge } : { kind: 'draw', start: minuteAt(event) });
  };
  const move = (event: PointerEvent): void => {
    if (!drag) return;
    const minute = minuteAt(event);
    onChange(drag.kind === 'draw' ? pauseBetween(drag.start, minute) : moveEdge(pause, drag.kind, minute));
  };
  return (
    <>
      <span aria-hidden>{short}</span>
      <div
        ref={track}
        className={classes['track']}
        data-day={name}
        data-disabled={isDisabled || undefined}
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={() => setDrag(undefined)}
        onPointerCancel={() => setDrag(undefined)}
      >
        {pause.enabled && (
          <>
            <div
              className={classes['pause']}
              style={{ ['--from' as string]: pause.from / DAY, ['--to' as string]: pause.to / DAY }}
            />
            <Edge day={name} edge="from" pause={pause} isDisabled={isDisabled} onChange={onChange} />
            <Edge day={name} edge="to" pause={pause} isDisabled={isDisabled} onChange={onChange} />
          </>
        )}
        {now !== undefined && <div className={classes['now']} style={at(now)} />}
      </div>
    </>
  );
}

type EdgeProps = Pick<LineProps, 'pause' | 'isDisabled' | 'onChange'> & {
  readonly day: string;
  readonly edge: 'from' | 'to';
};

const steps: Readonly<Record<string, number>> = {
  ArrowRight: STEP,
  ArrowUp: STEP,
  ArrowLeft: -STEP,
  ArrowDown: -STEP,
  PageUp: 60,
  PageDown: -60,
};

function Edge({ day, edge, pause, isDisabled, onChange }: EdgeProps) {
  const { t } = useTranslation('servers');
  const { time } = useFormat();
  const minute = pause[edge];
  return (
    <div
      role="slider"
      tabIndex={isDisabled ? -1 : 0}
      className={classes['edge']}
      data-edge={edge}
      style={at(minute)}
      aria-label={t(`schedule.${edge}`, { day })}
      aria-valuemin={0}
      aria-valuemax={DAY}
      aria-valuenow={minute}
      aria-valuetext={time(Date.UTC(2000, 0, 1, 0, minute), { timeStyle: 'short', timeZone: 'UTC' })}
      aria-disabled={isDisabled}
      onKeyDown={(event) => {
        const ends = { Home: 0, End: DAY } as Readonly<Record<string, number>>;
        const step = steps[event.key];
        const to = ends[event.key] ?? (step === undefined ? undefined : minute + step);
        if (to === undefined || isDisabled) return;
        event.preventDefault();
        onChange(moveEdge(pause, edge, to));
      }}
    />
  );
}

const sundayFirst = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Weekday (Monday is 0) and minute of the day in a time zone. */
function clockIn(now: number, zone: string | undefined): { readonly nth: number; readonly minute: number } | undefined {
  if (zone === undefined) return undefined;
  const format = new Intl.DateTimeFormat('en', {
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: zone,
  });
  const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]));
  const nth = (sundayFirst.indexOf(parts['weekday'] ?? '') + 6) % 7;
  return { nth, minute: Number(parts['hour']) * 60 + Number(parts['minute']) };
}
