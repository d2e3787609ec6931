/** The tab of abilities: what the folder of a `SKILL.md` is able to do, each with its place; never a verdict of safety. */
import type { ComponentChildren } from 'preact';
import { Link } from '../../../kit/controls.tsx';
import { t, tCount } from '../../../kit/l10n.ts';
import type { AbilitiesReply, ShownPlace } from '../../messages.ts';
import type { Actions, ViewProps } from '../model.ts';
import { Scripts } from './scripts.tsx';
import { whenRun, whyLeftOut, wordsFor } from './words.ts';

export function Abilities({ model: { abilities: view }, actions }: ViewProps) {
  if (!view) return <p class="quiet abilities">{t('Looking through the folder of this skill…')}</p>;
  const { tools, runs, unread, scripts, addresses, hidden } = view;
  const secrets = secretsOf(view);
  const isText = [tools, runs, unread, scripts, secrets, addresses, hidden].every(({ length }) => length === 0);
  return (
    <div class="abilities">
      {isText && (
        <p class="nothing">
          {view.leftOut.length === 0 ? t('Nothing but text.') : t('Nothing but text, in what was looked at.')}
        </p>
      )}
      <p class="quiet">
        {t(
          'Found by a plain scan of the files as they are saved. It does not see what packages do, names that are put together when a script runs, or binaries.',
        )}
      </p>
      <Section title={t('Tools that it may use without a question')} all={tools}>
        {tools.map(({ name, pattern, place }, at) => (
          <Entry key={at} place={place} actions={actions} face={<code>{name}</code>}>
            {pattern === undefined ? t('for anything') : <code>{pattern}</code>}
          </Entry>
        ))}
      </Section>
      <Section title={t('Commands that run by themselves')} all={runs}>
        {runs.map((run, at) => (
          <Entry key={at} place={run.place} actions={actions} face={<code>{run.command}</code>}>
            {whenRun(run)}
          </Entry>
        ))}
      </Section>
      <Section title={t('Commands that run what nobody has read')} all={unread}>
        {unread.map(({ what, place }, at) => (
          <Entry key={at} place={place} actions={actions} face={wordsFor(what)} />
        ))}
      </Section>
      <Section title={t('Scripts, and what they reach')} all={scripts}>
        <Scripts view={view} actions={actions} />
      </Section>
      <Section title={t('Secrets that it handles')} all={secrets}>
        {secrets.map(({ what, isStored, place }, at) => (
          <Entry key={at} place={place} actions={actions} face={isStored ? wordsFor(what) : <code>{what}</code>}>
            {isStored ? t('stands in the file') : t('read from the environment')}
          </Entry>
        ))}
      </Section>
      <Section title={t('Addresses that it fetches')} all={addresses}>
        {addresses.map(({ host, place }, at) => (
          <Entry key={at} place={place} actions={actions} face={host} />
        ))}
      </Section>
      <Section title={t('Hidden text')} all={hidden}>
        {hidden.map(({ what, place }, at) => (
          <Entry key={at} place={place} actions={actions} face={wordsFor(what)} />
        ))}
      </Section>
      <LeftOut view={view} />
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly all: readonly unknown[];
  readonly children: ComponentChildren;
}

const Section = ({ title, all, children }: SectionProps) =>
  all.length === 0 ? null : (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul>{children}</ul>
    </section>
  );

interface EntryProps {
  readonly place: ShownPlace;
  readonly actions: Actions;
  readonly face: ComponentChildren;
  readonly children?: ComponentChildren;
}

const Entry = ({ place, actions, face, children }: EntryProps) => (
  <li>
    <Link title={t('Go to the place')} onClick={() => actions.reveal(place, true)}>
      {face}
    </Link>
    {children && <span class="quiet">{children}</span>}
    <span class="quiet where">{t('{0}, line {1}', place.path, place.range.start.line + 1)}</span>
  </li>
);

interface Secret {
  readonly what: string;
  /** Whether the secret itself is there, and not only its name. */
  readonly isStored: boolean;
  readonly place: ShownPlace;
}

/** Each variable of the environment once for a script. */
function secretsOf({ secrets, scripts }: AbilitiesReply): readonly Secret[] {
  const named = scripts.flatMap(({ reaches }) => {
    const ofScript = reaches.filter(({ reach }) => reach === 'secrets');
    return ofScript
      .filter(({ by }, at) => ofScript.findIndex((other) => other.by === by) === at)
      .map(({ by, place }) => ({ what: by, isStored: false, place }));
  });
  return [...secrets.map(({ what, place }) => ({ what, isStored: true, place })), ...named];
}

function LeftOut({ view: { leftOut } }: { readonly view: AbilitiesReply }) {
  if (leftOut.length === 0) return null;
  return (
    <details>
      <summary>{tCount(leftOut.length, '1 file was not looked at', '{0} files were not looked at')}</summary>
      <ul>
        {leftOut.map(({ path, why }) => (
          <li key={path}>
            {path} <span class="quiet">{whyLeftOut[why]}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
