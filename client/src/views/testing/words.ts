/** The words of a test's result: the editor's item says already which sample it is. */
import type { RunTestsReply } from '../../../../server/src/protocol.ts';

type Result = NonNullable<RunTestsReply['results']>[number];

/** The message of a result, behind what it is about where it does not say that itself. */
export function withoutOwner({ name, of, message = '' }: Pick<Result, 'name' | 'of' | 'message'>): string {
  const part = of === undefined || name === of ? '' : name.slice(of.length + ' › '.length);
  const saysIt = message.includes(part) || quotedIn(message).some((quoted) => part.endsWith(quoted));
  return plain(saysIt ? message : `${part}. ${message}`.trim());
}

/** What stands between backticks. */
const quotedIn = (text: string): readonly string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, quoted = '']) => quoted);

/** A text and a line break, for a terminal: what would steer it is shown in place of that. */
export const asOutput = (text: string): string =>
  `${text}\n`
    .replaceAll('\r\n', '\n')
    .replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => (/[\n\t]/.test(character) ? character : '\ufffd'))
    .replaceAll('\n', '\r\n');

/** Messages of tests show no Markdown. */
export const plain = (text: string): string => text.replace(/`([^`]*)`/g, '“$1”');
