/** Handles the formatting of files, of ranges and while typing, if the setting enables formatting. */
import {
  type Connection,
  type Disposable,
  DocumentFormattingRequest,
  DocumentOnTypeFormattingRequest,
  DocumentRangeFormattingRequest,
  type TextEdit,
} from 'vscode-languageserver';
import { type Formatted, format, formatOnType } from '../../../features/format/format.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import { span } from '../../../text.ts';
import type { Session } from '../../session/session.ts';
import { ON_TYPE } from '../capabilities.ts';
import { createGuard } from './guard.ts';
import type { FeatureSettings } from './read-settings.ts';

export function handleFormatting(connection: Connection, session: Session, settings: FeatureSettings): void {
  const guarded = createGuard(connection, session);
  const { locate } = session;
  const answer = (file: SkillFile, make: () => Formatted): TextEdit[] => {
    if (!settings.formats) return [];
    const { edits, problem } = make();
    if (problem) connection.console.info(`${file.uri}: ${problem}`);
    return edits.map(({ span: place, newText }) => ({ range: locate.range(file, place), newText }));
  };
  connection.onDocumentFormatting(guarded('formatting', (_, file) => answer(file, () => format(file))));
  connection.onDocumentRangeFormatting(
    guarded('rangeFormatting', (_, file, { range }) =>
      answer(file, () => format(file, span(locate.offset(file, range.start), locate.offset(file, range.end)))),
    ),
  );
  connection.onDocumentOnTypeFormatting(
    guarded('onTypeFormatting', (_, file, { position }) =>
      answer(file, () => formatOnType(file, locate.offset(file, position))),
    ),
  );
}

/** Registers formatting with the client if the setting enables it, else unregisters it. Calls are queued. */
export function formattingRegistration(connection: Connection): (formats: boolean) => void {
  let registered: readonly Disposable[] = [];
  let last: Promise<void> = Promise.resolve();
  const register = async (formats: boolean): Promise<void> => {
    if (formats === registered.length > 0) return;
    for (const one of registered) one.dispose();
    const documentSelector = null;
    registered = formats
      ? await Promise.all([
          connection.client.register(DocumentFormattingRequest.type, { documentSelector }),
          connection.client.register(DocumentRangeFormattingRequest.type, { documentSelector }),
          connection.client.register(DocumentOnTypeFormattingRequest.type, { documentSelector, ...ON_TYPE }),
        ])
      : [];
  };
  return (formats) => {
    last = last
      .then(() => register(formats))
      .catch((error: unknown) => connection.console.error(`formatting: ${error}`));
  };
}
