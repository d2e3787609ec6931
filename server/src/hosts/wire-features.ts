/** The protocol's requests about what stands at a place, each answered by the feature of the same name. */
import type { ClientCapabilities, Connection, Range } from 'vscode-languageserver';
import { codeActions } from '../features/actions/code-actions.ts';
import { CODE_LENSES, codeLenses, type LensCommands, resolveCodeLens } from '../features/code-lens.ts';
import { hover } from '../features/hover/hover.ts';
import { refactorActions } from '../features/refactor/actions.ts';
import { semanticTokens } from '../features/semantic-tokens/semantic-tokens.ts';
import { type SignatureClient, signatureHelp } from '../features/signature-help.ts';
import type { CodeLensSettings, InitializationOptions, Settings } from '../protocol.ts';
import { hasLenses } from './capabilities.ts';
import { attempt, createGuard } from './guard.ts';
import { refreshFeatures } from './refresh.ts';
import type { Session } from './session.ts';

export interface FeatureWiring {
  setSettings(settings: Settings): void;
}

export function wireFeatures(
  connection: Connection,
  session: Session,
  options: InitializationOptions,
  capabilities: ClientCapabilities,
): FeatureWiring {
  const guarded = createGuard(connection, session);
  const { locate } = session;
  const commands: LensCommands = { preview: options.previewCommand, showReferences: options.showReferencesCommand };
  const client = signatureClient(capabilities);
  let lenses: CodeLensSettings = CODE_LENSES;
  const tokensOf = guarded('semanticTokens', (index, document) => semanticTokens(index, document, locate));
  const tokensIn = guarded(
    'semanticTokensRange',
    (index, document, { range }: { readonly textDocument: { uri: string }; readonly range: Range }) =>
      semanticTokens(index, document, locate, range),
  );

  connection.onCodeAction(
    guarded('codeAction', (index, document, { range, context }) => [
      ...codeActions(index, document, range, context.only, locate),
      ...refactorActions(index, document, range, context, locate, options.renameCommand),
    ]),
  );
  if (hasLenses(options)) {
    connection.onCodeLens(
      guarded('codeLens', (index, document) => codeLenses(index, document, commands, lenses, locate)),
    );
    connection.onCodeLensResolve(
      (lens) =>
        attempt(connection, 'codeLensResolve', () => resolveCodeLens(session.index(), lens, commands, locate)) ?? lens,
    );
  }
  connection.onHover(
    guarded('hover', (index, document, { position }) =>
      hover(index, document, locate.offset(document, position), locate),
    ),
  );
  connection.onSignatureHelp(
    guarded('signatureHelp', (_, document, { position }) =>
      signatureHelp(document, locate.offset(document, position), client),
    ),
  );
  connection.languages.semanticTokens.on(
    // No answer at all would leave the colours of the text before.
    (params) => tokensOf(params) ?? { data: [] },
  );
  connection.languages.semanticTokens.onRange((params) => tokensIn(params) ?? { data: [] });
  const refresh = refreshFeatures(connection, session, capabilities);

  return {
    setSettings({ codeLens }) {
      const next = { ...CODE_LENSES, ...codeLens };
      if (JSON.stringify(next) === JSON.stringify(lenses)) return;
      lenses = next;
      refresh.lenses();
    },
  };
}

function signatureClient({ textDocument }: ClientCapabilities): SignatureClient {
  const information = textDocument?.signatureHelp?.signatureInformation;
  return {
    offsets: information?.parameterInformation?.labelOffsetSupport === true,
    noneActive: information?.noActiveParameterSupport === true,
  };
}
