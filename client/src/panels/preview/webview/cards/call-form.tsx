/** The arguments of a call by name. The server fills them in as the chosen client does; commands are shown, never run. */
import { Link, useOwnId } from '../../../kit/controls.tsx';
import { t, tCount } from '../../../kit/l10n.ts';
import type { Call, CallFact } from '../../messages.ts';
import { restsOn } from '../clients/outcomes.ts';
import type { ViewProps } from '../model.ts';

export function CallForm({ model, actions }: ViewProps) {
  const call = model.show?.reply.call;
  if (!call) return null;
  const { asked } = model.page;
  const { names, words, hint, placeholders } = call;
  const takesSome = names.length > 0 || placeholders.length > 0 || hint !== undefined;
  const set = (text: string): void => actions.ask({ ...asked, arguments: text });
  const asWritten = (): void => {
    const { arguments: _, ...rest } = asked;
    actions.ask(rest);
  };
  return (
    <div class="call">
      {takesSome && (
        <>
          <Field label={t('Arguments')} value={asked.arguments ?? ''} hint={hint} onInput={set} />
          {names.map((name, at) => (
            <Field
              key={`${at} ${name}`}
              label={name}
              value={words[at] ?? ''}
              onInput={(word) => set(joined(words, at, word))}
            />
          ))}
          <p class="quiet">
            {asked.arguments === undefined ? (
              t('Nothing is filled in yet: the body stands as it is written.')
            ) : (
              <>
                <WhoFills call={call} /> <Link onClick={asWritten}>{t('Show the body as it is written')}</Link>
              </>
            )}
          </p>
        </>
      )}
      <Commands call={call} />
    </div>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly hint?: string | undefined;
  readonly onInput: (value: string) => void;
}

function Field({ label, value, hint, onInput }: FieldProps) {
  const id = useOwnId();
  return (
    <div class="call-field">
      <label for={id}>{label}</label>
      <input
        class="input"
        type="text"
        id={id}
        value={value}
        placeholder={hint}
        spellcheck={false}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </div>
  );
}

/** The text with one word changed. Quotes hold together what has white space in it. */
function joined(words: readonly string[], at: number, word: string): string {
  const next = [...words];
  while (next.length <= at) next.push('');
  next[at] = word;
  while (next.at(-1) === '') next.pop();
  return next.map(quoted).join(' ');
}

function quoted(word: string): string {
  if (word !== '' && !/[\s"']/.test(word)) return word;
  return word.includes('"') ? `'${word.replaceAll("'", '’')}'` : `"${word}"`;
}

function WhoFills({ call: { client, fills } }: { readonly call: Call }) {
  if (!client) return <>{t('Choose a client above: each fills them in differently.')}</>;
  if (!fills) return <>{t('As far as is known, {0} fills in nothing.', client.name)}</>;
  return <span title={why(fills)}>{t('Filled in as {0} does it.', client.name)}</span>;
}

function Commands({ call: { client, runs, commands } }: { readonly call: Call }) {
  if (commands.length === 0) return null;
  const count = tCount(commands.length, '1 command in the body', '{0} commands in the body');
  const who = !client
    ? t('Some clients run commands before the model reads the text.')
    : runs
      ? t('{0} runs commands before the model reads the text.', client.name)
      : t('As far as is known, {0} runs no commands.', client.name);
  return (
    <div class="commands">
      <p title={runs && why(runs)}>
        {count}. {who} <span class="quiet">{t('Here they are shown, and never run.')}</span>
      </p>
      <ul>
        {commands.map(({ text }, at) => (
          <li key={at}>
            <code>{text}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}

const why = (fact: CallFact): string => [...(fact.note === undefined ? [] : [fact.note]), restsOn(fact)].join('\n');
