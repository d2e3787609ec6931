/** Formatting on request, of a range and while typing; offered as long as the setting allows it. */
import {
  type ClientCapabilities,
  type Connection,
  type Disposable,
  DocumentFormattingRequest,
  DocumentOnTypeFormattingRequest,
  DocumentRangeFormattingRequest,
  type TextEdit,
} from 'vscode-languageserver';
import { type Formatted, format, formatOnType } from '../features/format/format.ts';
import type { Settings } from '../protocol.ts';
import type { SkillDocument } from '../skill/document.ts';
import { span } from '../text.ts';
import { isFormattingDynamic, ON_TYPE } from './capabilities.ts';
import { createGuard } from './guard.ts';
import type { Session } from './session.ts';

export interface FormatWiring {
  setSettings(settings: Settings): void;
  /** From here on the client may be asked to register. */
  start(): void;
}

export function wireFormat(connection: Connection, session: Session, capabilities: ClientCapabilities): FormatWiring {
  const guarded = createGuard(connection, session);
  const { locate } = session;
  let isEnabled = true;
  let isStarted = false;
  let registered: readonly Disposable[] = [];
  /** Registrations queue up: what was asked last is what holds. */
  let last: Promise<void> = Promise.resolve();

  const answer = (document: SkillDocument, make: () => Formatted): TextEdit[] => {
    if (!isEnabled) return [];
    const { edits, problem } = make();
    if (problem) connection.console.info(`${document.uri}: ${problem}`);
    return edits.map(({ span: place, newText }) => ({ range: locate.range(document, place), newText }));
  };
  connection.onDocumentFormatting(guarded('formatting', (_, document) => answer(document, () => format(document))));
  connection.onDocumentRangeFormatting(
    guarded('rangeFormatting', (_, document, { range }) =>
      answer(document, () =>
        format(document, span(locate.offset(document, range.start), locate.offset(document, range.end))),
      ),
    ),
  );
  connection.onDocumentOnTypeFormatting(
    guarded('onTypeFormatting', (_, document, { position }) =>
      answer(document, () => formatOnType(document, locate.offset(document, position))),
    ),
  );

  const register = async (): Promise<void> => {
    if (isEnabled === registered.length > 0) return;
    if (!isEnabled) {
      for (const one of registered) one.dispose();
      registered = [];
      return;
    }
    const documentSelector = null;
    registered = await Promise.all([
      connection.client.register(DocumentFormattingRequest.type, { documentSelector }),
      connection.client.register(DocumentRangeFormattingRequest.type, { documentSelector }),
      connection.client.register(DocumentOnTypeFormattingRequest.type, { documentSelector, ...ON_TYPE }),
    ]);
  };
  const update = (): void => {
    if (!isStarted || !isFormattingDynamic(capabilities)) return;
    last = last.then(register).catch((error: unknown) => connection.console.error(`formatting: ${error}`));
  };

  return {
    setSettings({ format: settings }) {
      isEnabled = settings?.enable !== false;
      update();
    },
    start() {
      isStarted = true;
      update();
    },
  };
}
