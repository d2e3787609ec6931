/** The page that shows the effects of an import, with the buttons *Import* and *Cancel*. */
import { useState } from 'preact/hooks';
import { Button, WithCode } from '../../kit/controls.tsx';
import { t, tCount } from '../../kit/l10n.ts';
import type { ImportedSkill, InstallView, ToImportPage } from '../messages.ts';
import { Abilities } from './abilities.tsx';

export interface Actions {
  readonly install: (force: boolean) => void;
  readonly cancel: () => void;
}

interface PageProps {
  readonly message: ToImportPage;
  readonly actions: Actions;
}

export function Page({ message, actions }: PageProps) {
  if (message.type === 'refused') {
    return (
      <main class="page import">
        <h1>{t('This cannot be imported')}</h1>
        <p class="problem" role="alert">
          <WithCode text={message.problem} />
        </p>
        <div class="import-bar">
          <Button onClick={actions.cancel}>{t('Close')}</Button>
        </div>
      </main>
    );
  }
  return (
    <Preview
      key={message.view.digest}
      view={message.view}
      folder={message.folder}
      problem={message.problem}
      actions={actions}
    />
  );
}

interface PreviewProps {
  readonly view: InstallView;
  readonly folder: string;
  readonly problem: string | null;
  readonly actions: Actions;
}

function Preview({ view, folder, problem, actions }: PreviewProps) {
  const { skills, conflicts, unremoved, leftOut, files, origin, patches, conversion } = view;
  const [mayLose, setMayLose] = useState(false);
  const removed = files.filter(({ state }) => state === 'removed');
  const own = skills.filter(({ state }) => state !== 'affected');
  const changing = own.filter(({ state }) => state !== 'same');
  // Unchanged skills come last.
  const shown = [...skills.filter(({ state }) => state !== 'same'), ...skills.filter(({ state }) => state === 'same')];
  const isDone = files.every(({ state }) => state === 'same') && skills.every(({ state }) => state === 'same');
  const blocked =
    conflicts.length > 0 && !mayLose
      ? t('This import would overwrite files that you have edited. Allow this below.')
      : undefined;
  return (
    <main class="page import">
      <header class="import-head">
        <h1>
          {isDone
            ? t('Everything is already in {0}, unchanged', folder)
            : tCount(
                (changing.length > 0 ? changing : own).length,
                'Import 1 skill into {1}',
                'Import {0} skills into {1}',
                folder,
              )}
        </h1>
        <p class="quiet">
          {t(
            'From {0}. The abilities were found by a simple scan, which does not show whether the files are safe.',
            origin,
          )}
        </p>
        {problem !== null && (
          <p class="problem" role="alert">
            <WithCode text={problem} />
          </p>
        )}
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must scroll it */}
      <section class="import-body" aria-label={t('Abilities of the skills')} tabIndex={0}>
        {conflicts.length > 0 && (
          <section aria-label={t('Would be lost')} class="import-loss">
            <h2>{t('Would be lost')}</h2>
            <Notes notes={conflicts} />
            <label>
              <input
                type="checkbox"
                checked={mayLose}
                onChange={({ currentTarget }) => setMayLose(currentTarget.checked)}
              />{' '}
              {t('Overwrite these files')}
            </label>
          </section>
        )}
        {shown.map((skill) => (
          <article key={`${skill.name} ${skill.path}`} aria-label={skill.name}>
            <h2>
              {skill.name}{' '}
              <span class="quiet">
                {versionsOf(skill.oldVersion, skill.version)} {STATES[skill.state]()}
              </span>
            </h2>
            <p class="quiet where">{skill.path}</p>
            {skill.description !== null && <p>{skill.description}</p>}
            <Changes skill={skill} />
            <Abilities skill={skill} />
          </article>
        ))}
        {removed.length > 0 && (
          <section aria-label={t('Removed')}>
            <h2>{t('Removed')}</h2>
            <Notes notes={removed.map(({ path }) => ({ path, why: '' }))} />
          </section>
        )}
        {unremoved.length > 0 && (
          <section aria-label={t('Not removed')}>
            <h2>{t('Not removed')}</h2>
            <Notes notes={unremoved} />
          </section>
        )}
        {patches.length > 0 && (
          <section aria-label={t('Changed files')}>
            <h2>{t('Changed files')}</h2>
            {patches.map(({ path, patch }) => (
              <details key={path}>
                <summary>{path}</summary>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must scroll it */}
                <pre tabIndex={0}>{patch ?? t('The changes are too large to show.')}</pre>
              </details>
            ))}
          </section>
        )}
        {conversion && (
          <section aria-label={t('Converted skill')}>
            <h2>{t('Converted from {0}', conversion.path)}</h2>
            {conversion.losses.length > 0 && (
              <>
                <h3>{t('Not converted')}</h3>
                <ul>
                  {conversion.losses.map(({ what, why }) => (
                    <li key={what}>
                      <WithCode text={what} />{' '}
                      <span class="quiet">
                        <WithCode text={why} />
                      </span>
                    </li>
                  ))}
                </ul>
              </>
            )}
            <details>
              <summary>{t('Converted skill')}</summary>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must scroll it */}
              <pre tabIndex={0}>{conversion.text}</pre>
            </details>
          </section>
        )}
        {leftOut.length > 0 && (
          <details>
            <summary>{tCount(leftOut.length, '1 file is not imported', '{0} files are not imported')}</summary>
            <Notes notes={leftOut} />
          </details>
        )}
      </section>
      <div class="import-bar">
        {!isDone && (
          <Button primary onClick={() => actions.install(mayLose)} disabled={blocked}>
            {t('Import')}
          </Button>
        )}
        <Button onClick={actions.cancel}>{isDone ? t('Close') : t('Cancel')}</Button>
      </div>
    </main>
  );
}

const Notes = ({ notes }: { readonly notes: InstallView['conflicts'] }) => (
  <ul>
    {notes.map(({ path, why }) => (
      <li key={path}>
        <code>{path}</code>{' '}
        <span class="quiet">
          <WithCode text={why} />
        </span>
      </li>
    ))}
  </ul>
);

const STATES = {
  new: () => t('new'),
  update: () => t('update'),
  same: () => t('already here, unchanged'),
  affected: () => t('unchanged, but composes changed skills'),
};

const versionsOf = (old: string | null, now: string | null): string =>
  old !== null && old !== now ? `${old} → ${now ?? '–'}` : (now ?? '');

/** The changes in an update: first the abilities of the skill, then its contract. */
function Changes({ skill: { changes, contract } }: { readonly skill: ImportedSkill }) {
  if (changes.length === 0 && contract.length === 0) return null;
  return (
    <section aria-label={t('Changes')}>
      <h3>{t('Changes')}</h3>
      <ul>
        {changes.map(({ kind, text }) => (
          <li key={text} class={`change-${kind}`}>
            <WithCode text={text} />
          </li>
        ))}
        {contract.map(({ bump, message }) => (
          <li key={message}>
            <span class="quiet">{t('contract, {0}:', bump)}</span> <WithCode text={message} />
          </li>
        ))}
      </ul>
    </section>
  );
}
