/**
 * Makes the reply to `initialize`. This file is part of the first script, so it imports only constants from the core.
 */
import {
  type ClientCapabilities,
  type FileOperationRegistrationOptions,
  type InitializeParams,
  type InitializeResult,
  InsertTextMode,
  type ServerCapabilities,
  TextDocumentSyncKind,
} from 'vscode-languageserver';
import { FIX_ALL, REFACTOR_KINDS } from '../../features/actions/action-kinds.ts';
import { TOKEN_MODIFIERS, TOKEN_TYPES } from '../../features/semantic-tokens/token.ts';
import { VERSION } from '../../io/environment.ts';
import type { InitializationOptions } from '../../protocol.ts';

/**
 * The characters that trigger completion while the user types. Letters are included, so that a client can disable its
 * own suggestions in prose. VS Code does not trigger completion on letters, so the extension triggers completion.
 */
const TRIGGERS: string[] = [...'#:.|-{%"\'/ [$_(,=@', ...'abcdefghijklmnopqrstuvwxyz', ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

export const ON_TYPE = { firstTriggerCharacter: '\n' };

/** The parameters of `initialize` on which the features depend. */
type Initialized = Pick<InitializeParams, 'capabilities' | 'clientInfo'>;

export const initializeResult = (
  options: InitializationOptions,
  { capabilities: client, clientInfo }: Initialized,
): InitializeResult => ({
  serverInfo: { name: 'skill-composer', version: VERSION },
  capabilities: {
    positionEncoding: encodingFor(client),
    textDocumentSync: {
      openClose: true,
      change: TextDocumentSyncKind.Incremental,
      save: { includeText: false },
    },
    ...features(options, client),
    ...navigation(client),
    ...(isFormattingDynamic(client) ? {} : formatting),
    ...graph,
    workspace: {
      workspaceFolders: { supported: true, changeNotifications: true },
      ...(client.workspace?.fileOperations?.willRename ? { fileOperations: { willRename: MOVES } } : {}),
    },
    ...(wantsPull(client, options)
      ? { diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: clientInfo?.name !== NEOVIM } }
      : {}),
  },
});

/**
 * After a refresh, Neovim 0.12.4 requests the diagnostics of the workspace, if the server offers them, and ignores those
 * of open files. Without them, it requests the diagnostics of each open file.
 */
const NEOVIM = 'Neovim';

/** All files, because skills name files of any kind, and folders, because the folder of a `SKILL.md` has the skill's name. */
const MOVES: FileOperationRegistrationOptions = {
  filters: [{ pattern: { glob: '**', matches: 'file' } }, { pattern: { glob: '**', matches: 'folder' } }],
};

/**
 * Returns which operations on files an edit for this client may contain. `documentChanges` only adds versions of files:
 * Neovim performs these operations without declaring it.
 */
export function fileOperations({ workspace }: ClientCapabilities): {
  readonly createsFiles: boolean;
  readonly renamesFiles: boolean;
} {
  const operations = workspace?.workspaceEdit?.resourceOperations ?? [];
  return { createsFiles: operations.includes('create'), renamesFiles: operations.includes('rename') };
}

/** Returns the client's first encoding that the server supports; by default UTF-16, which every client supports. */
export function encodingFor({ general }: ClientCapabilities): 'utf-8' | 'utf-16' {
  const first = general?.positionEncodings?.find((encoding) => encoding === 'utf-8' || encoding === 'utf-16');
  return first === 'utf-8' ? 'utf-8' : 'utf-16';
}

/**
 * Returns whether the client requests diagnostics. A client without `refreshSupport` (Helix 25.07.1) would not request
 * them again when another file changes, so the server pushes them.
 */
export const wantsPull = (
  { textDocument, workspace }: ClientCapabilities,
  { diagnostics }: Pick<InitializationOptions, 'diagnostics'>,
): boolean =>
  diagnostics === undefined
    ? textDocument?.diagnostic !== undefined && workspace?.diagnostics?.refreshSupport === true
    : diagnostics === 'pull';

/** The editors that add the indentation of the line to each line of a snippet without declaring an `insertTextMode`. */
const INDENTING: ReadonlySet<string | undefined> = new Set(['Neovim', 'helix']);

/**
 * Returns whether the client adds the indentation of the line to each line of a snippet. Kate 26.08.1 declares nothing
 * either, and inserts the lines as they are.
 */
export function indentsSnippets({ capabilities, clientInfo }: Initialized): boolean {
  const modes = capabilities.textDocument?.completion?.completionItem?.insertTextModeSupport?.valueSet;
  return modes ? !modes.includes(InsertTextMode.asIs) : INDENTING.has(clientInfo?.name);
}

/** Returns whether the client shows links of diagnostics, which it declares once for pushed and pulled ones. */
export const showsLinks = ({ textDocument }: ClientCapabilities): boolean =>
  textDocument?.publishDiagnostics?.codeDescriptionSupport === true;

/** Returns whether the client provides the commands that code lenses run. A lens without a command has no effect. */
export const hasLenses = ({ previewCommand, showReferencesCommand }: InitializationOptions): boolean =>
  previewCommand !== undefined || showReferencesCommand !== undefined;

/** Returns whether formatting can be registered and unregistered when the settings change. */
export const isFormattingDynamic = ({ textDocument }: ClientCapabilities): boolean =>
  textDocument?.formatting?.dynamicRegistration === true &&
  textDocument.rangeFormatting?.dynamicRegistration === true &&
  textDocument.onTypeFormatting?.dynamicRegistration === true;

/** Returns whether the client requests the documentation of a completion item when it shows the item. */
export const requestsDocs = ({ textDocument }: ClientCapabilities): boolean =>
  textDocument?.completion?.completionItem?.resolveSupport?.properties?.includes('documentation') === true;

const features = (options: InitializationOptions, client: ClientCapabilities): ServerCapabilities => ({
  // A client that only supports commands could not apply our edits.
  ...(client.textDocument?.codeAction?.codeActionLiteralSupport
    ? { codeActionProvider: { codeActionKinds: ['quickfix', FIX_ALL, ...REFACTOR_KINDS] } }
    : {}),
  completionProvider: { triggerCharacters: TRIGGERS, resolveProvider: requestsDocs(client) },
  hoverProvider: true,
  signatureHelpProvider: { triggerCharacters: ['(', ','], retriggerCharacters: [')', '='] },
  semanticTokensProvider: {
    legend: { tokenTypes: [...TOKEN_TYPES], tokenModifiers: [...TOKEN_MODIFIERS] },
    full: true,
    range: true,
  },
  ...(hasLenses(options) ? { codeLensProvider: { resolveProvider: true } } : {}),
});

const navigation = ({ textDocument }: ClientCapabilities): ServerCapabilities => ({
  definitionProvider: true,
  referencesProvider: true,
  documentHighlightProvider: true,
  // A client without prepare support does not accept an object here.
  renameProvider: textDocument?.rename?.prepareSupport ? { prepareProvider: true } : true,
  documentSymbolProvider: true,
  workspaceSymbolProvider: true,
  foldingRangeProvider: true,
  selectionRangeProvider: true,
  documentLinkProvider: { resolveProvider: false },
  linkedEditingRangeProvider: true,
});

const formatting: ServerCapabilities = {
  documentFormattingProvider: true,
  documentRangeFormattingProvider: true,
  documentOnTypeFormattingProvider: ON_TYPE,
};

const graph: ServerCapabilities = {
  callHierarchyProvider: true,
  inlayHintProvider: { resolveProvider: false },
};
