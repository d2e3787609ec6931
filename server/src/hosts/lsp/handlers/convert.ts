/** Converts documents for editors. */
import type { Connection } from 'vscode-languageserver';
import { type ConvertReply, ConvertRequest, onRequest } from '../../../protocol.ts';
import { lineStartsOf, rangeOf } from '../../../text.ts';
import type { Session } from '../../session/session.ts';
import { attempt } from './guard.ts';

export function handleConvert(connection: Connection, session: Session): void {
  onRequest(connection, ConvertRequest, async ({ uri, text: given, to }) => {
    await session.read();
    await session.catalogLoaded(uri);
    // Loaded only when a document is converted.
    const { convert } = await import('../../../exchange/convert.ts');
    return attempt(connection, 'convert', (): ConvertReply | null => {
      const { analysis } = session;
      const text = analysis.file(uri)?.text ?? given;
      if (text === undefined) return null;
      const made = convert({ uri, text }, to, analysis);
      const lines = lineStartsOf(text);
      if ('problem' in made) {
        return { problem: made.problem, range: made.span === undefined ? null : rangeOf(lines, made.span) };
      }
      const lost = made.losses.map(({ what, span, why }) => ({ what, range: rangeOf(lines, span), why }));
      return { files: made.files, lost, along: made.copied?.from ?? null };
    });
  });
}
