/** Finds values that are nested too deeply to be sent to a worker and to be read by recursive code. */
import { isTooDeep, MAX_NESTING, tooDeep } from '../../composer/json.ts';
import type { Json } from '../../languages/yaml/node.ts';
import type { RunReply, RunRequest } from '../../protocol.ts';

/**
 * Returns the message about the first value of a run with too many levels; undefined if it has none. The parameters are
 * excluded, because the composer reports them.
 */
export function deepValueIn({
  recorded,
  stubs,
  answers,
  answered,
  patches,
  replies = [],
}: RunRequest): string | undefined {
  const values: readonly (readonly [what: string, value: Json | undefined])[] = [
    ['The recorded output of the sample', recorded?.value],
    ...stubs.map(({ name, returns }) => [`The stub of \`${name}\``, returns] as const),
    ...answers.map(({ name, value }) => [`The answer to \`${name}\``, value] as const),
    ...answered.map((value) => ['The answer to an interrupt', value] as const),
    ...patches.map(({ value }) => ['The changed value', value] as const),
    ...replies.map((reply) => ['A reply to the run', valueIn(reply)] as const),
  ];
  const found = values.find(([, value]) => isTooDeep(value, MAX_NESTING));
  return found && tooDeep(found[0]).join(' ');
}

function valueIn(reply: RunReply): Json | undefined {
  if (reply.kind === 'call') return reply.input;
  return reply.kind === 'result' ? reply.value : undefined;
}
