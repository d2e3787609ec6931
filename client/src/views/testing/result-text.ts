/** The messages of test results, without the name of the sample, which the editor's item already shows. */
import type { RunTestsReply } from '../../../../server/src/protocol.ts';

type TestResult = NonNullable<RunTestsReply['results']>[number];

/**
 * Returns the message of a result. The name of the tested part precedes the message if the message does not contain it.
 */
export function withoutOwner({ name, of, message = '' }: Pick<TestResult, 'name' | 'of' | 'message'>): string {
  const part = of === undefined || name === of ? '' : name.slice(of.length + ' › '.length);
  const saysIt = message.includes(part) || quotedIn(message).some((quoted) => part.endsWith(quoted));
  return plain(saysIt ? message : `${part}. ${message}`.trim());
}

/** Returns the strings between backticks. */
const quotedIn = (text: string): readonly string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, quoted = '']) => quoted);

/** Returns the text with a line break at its end, for a terminal. Replaces control characters with U+FFFD. */
export const asOutput = (text: string): string =>
  `${text}\n`
    .replaceAll('\r\n', '\n')
    .replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => (/[\n\t]/.test(character) ? character : '\ufffd'))
    .replaceAll('\n', '\r\n');

/** Replaces backticks with quotes, because test messages show no Markdown. */
export const plain = (text: string): string => text.replace(/`([^`]*)`/g, '‘$1’');
