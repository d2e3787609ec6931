/** The scripts of a folder, each with the words that show what it reaches. */
import { Link, WithCode } from '../../../kit/controls.tsx';
import { t } from '../../../kit/l10n.ts';
import { top } from '../../../kit/place.ts';
import type { AbilitiesReply, ShownPlace } from '../../messages.ts';
import type { Actions } from '../model.ts';
import { languageNames, reachNames } from './words.ts';

interface ScriptsProps {
  readonly view: AbilitiesReply;
  readonly actions: Actions;
}

export const Scripts = ({ view: { scripts, deniesNetwork }, actions }: ScriptsProps) => (
  <>
    {deniesNetwork !== undefined && (
      <li class="quiet">
        <WithCode text={t('`compatibility` says “{0}”.', deniesNetwork)} />
      </li>
    )}
    {scripts.map((script) => (
      <li key={script.path}>
        <Link title={t('Open the file')} onClick={() => actions.reveal({ uri: script.uri, range: top }, true)}>
          {script.path}
        </Link>
        <span class="quiet">{languageNames[script.language]}</span>
        <Reaches script={script} actions={actions} />
      </li>
    ))}
  </>
);

interface ReachesProps {
  readonly script: AbilitiesReply['scripts'][number];
  readonly actions: Actions;
}

function Reaches({ script: { language, reaches }, actions }: ReachesProps) {
  if (language === 'other') return null;
  const rows = Object.entries(reachNames).flatMap(([reach, name]) => {
    const words = byWord(reaches.filter((one) => one.reach === reach));
    return words.length === 0 ? [] : [{ name, words }];
  });
  if (rows.length === 0)
    return <span class="reaches quiet">{t('reaches nothing outside, as far as the scan sees')}</span>;
  return (
    <dl class="reaches">
      {rows.map(({ name, words }) => (
        <div key={name}>
          <dt class="quiet">{name}</dt>
          {words.map(([word, places]) => (
            <dd key={word}>
              <Word word={word} places={places} actions={actions} />
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

interface WordProps {
  readonly word: string;
  readonly places: readonly ShownPlace[];
  readonly actions: Actions;
}

/** The word leads to its first place, and the lines of the others to theirs. */
const Word = ({ word, places, actions }: WordProps) => (
  <>
    {places.map((place, at) => {
      const line = t('line {0}', place.range.start.line + 1);
      return (
        <Link key={at} title={`${t('Go to the place')}, ${line}`} onClick={() => actions.reveal(place, true)}>
          {at === 0 ? <code>{word}</code> : line}
        </Link>
      );
    })}
  </>
);

function byWord(reaches: ReachesProps['script']['reaches']): readonly (readonly [string, readonly ShownPlace[]])[] {
  const words = new Map<string, ShownPlace[]>();
  for (const { by, place } of reaches) words.set(by, [...(words.get(by) ?? []), place]);
  return [...words];
}
