/** Handles completion and other requests about a position in a file. Each request calls the feature of its name. */
import {
  type ClientCapabilities,
  type CodeAction,
  CodeActionRequest,
  CodeLensRequest,
  CodeLensResolveRequest,
  CompletionRequest,
  CompletionResolveRequest,
  type Connection,
  HoverRequest,
  type InitializeParams,
  InlayHintRequest,
  SemanticTokensRangeRequest,
  SemanticTokensRequest,
  SignatureHelpRequest,
} from 'vscode-languageserver';
import {
  codeActions,
  convertPackage,
  type NewSkillText,
  offersNewSkill,
} from '../../../features/actions/code-actions.ts';
import { codeLenses, type LensCommands, resolveCodeLens } from '../../../features/code-lens.ts';
import { completion } from '../../../features/completion/completion.ts';
import { type CompletionClient, type DeferredDocs, resolveDocs } from '../../../features/completion/items.ts';
import { findPath, pathCompletion } from '../../../features/completion/paths.ts';
import { hover } from '../../../features/hover/hover.ts';
import { inlayHints } from '../../../features/inlay-hints.ts';
import { permissionActions } from '../../../features/permission.ts';
import { refactorActions } from '../../../features/refactor/actions.ts';
import { semanticTokens } from '../../../features/semantic-tokens/semantic-tokens.ts';
import { type SignatureClient, signatureHelp } from '../../../features/signature-help.ts';
import type { Files } from '../../../io/files.ts';
import { userMessage } from '../../../io/user-error.ts';
import type { InitializationOptions } from '../../../protocol.ts';
import { check } from '../../../rules/engine/check.ts';
import type { Session } from '../../../services/session/session.ts';
import { fileOperations, hasLenses, indentsSnippets, requestsDocs } from '../capabilities.ts';
import { onRequest, skillRequests } from './guard.ts';
import type { FeatureSettings } from './read-settings.ts';

export function handleFeatures(
  connection: Connection,
  session: Session,
  files: Files,
  settings: FeatureSettings,
  options: InitializationOptions,
  capabilities: ClientCapabilities,
): void {
  const onSkillRequest = skillRequests(connection, session);
  const { locate } = session;
  const commands: LensCommands = {
    preview: options.previewCommand,
    showReferences: options.showReferencesCommand,
    enable: options.enableCommand,
  };
  const actionCommands = {
    ...{ select: options.selectCommand, share: options.shareCommand },
    ...{ chooseClients: options.chooseClientsCommand, compare: options.compareCommand },
  };
  const client = signatureClient(capabilities);
  const { createsFiles, renamesFiles } = fileOperations(capabilities);

  onSkillRequest(CodeActionRequest.type, async (analysis, file, { range, context }) => {
    const findings = session.withSharedFixes(file.uri, check(file, analysis));
    const answer = (textOfNew?: NewSkillText) => [
      ...codeActions(
        analysis,
        file,
        range,
        context.only,
        locate,
        { textOfNew, renamesFiles },
        actionCommands,
        findings,
      ),
      ...permissionActions(analysis, file, range, context.only, locate, options.disableCommand),
      ...(createsFiles ? convertPackage(file, context.only) : []),
      ...refactorActions(analysis, file, range, context, locate, options.renameCommand),
    ];
    if (!createsFiles) return answer();
    if (!offersNewSkill(analysis, file, range, locate))
      return withoutExisting(
        answer(() => undefined),
        files,
      );
    // The engine for our own templates is loaded only when a skill can be created.
    const { initialText } = await import('../../../authoring/new-skill.ts');
    return withoutExisting(answer(initialText), files);
  });
  if (hasLenses(options)) {
    onSkillRequest(CodeLensRequest.type, (analysis, file) =>
      codeLenses(analysis, file, commands, settings.codeLens, locate),
    );
    onRequest(
      connection,
      CodeLensResolveRequest.type,
      (lens) => resolveCodeLens(session.analysis, lens, commands, locate),
      (lens) => lens,
    );
  }
  onSkillRequest(HoverRequest.type, (analysis, file, { position }) =>
    hover(analysis, file, locate.offset(file, position), locate),
  );
  onSkillRequest(SignatureHelpRequest.type, (_, file, { position }) =>
    signatureHelp(file, locate.offset(file, position), client),
  );
  onSkillRequest(InlayHintRequest.type, (analysis, file, { range }) =>
    inlayHints(analysis, file, range, settings.inlayHints, locate),
  );
  // Without a reply, the client would keep the old colours.
  const noTokens = { data: [] };
  onSkillRequest(SemanticTokensRequest.type, (analysis, file) => semanticTokens(analysis, file, locate), noTokens);
  onSkillRequest(
    SemanticTokensRangeRequest.type,
    (analysis, file, { range }) => semanticTokens(analysis, file, locate, range),
    noTokens,
  );
}

/** Leaves out the actions that create a file at a path that has one, which some editors would overwrite. */
async function withoutExisting(actions: readonly CodeAction[], files: Files): Promise<CodeAction[]> {
  const kept = actions.map(async (action) => {
    const created = (action.edit?.documentChanges ?? []).flatMap((one) =>
      'kind' in one && one.kind === 'create' ? [one.uri] : [],
    );
    const found = await Promise.all(created.map((uri) => files.exists(uri)));
    return found.includes(true) ? [] : [action];
  });
  return (await Promise.all(kept)).flat();
}

function signatureClient({ textDocument }: ClientCapabilities): SignatureClient {
  const information = textDocument?.signatureHelp?.signatureInformation;
  return {
    offsets: information?.parameterInformation?.labelOffsetSupport === true,
    noneActive: information?.noActiveParameterSupport === true,
  };
}

export function handleCompletion(
  connection: Connection,
  session: Session,
  files: Files,
  params: InitializeParams,
  options: InitializationOptions,
): void {
  const { capabilities } = params;
  const onSkillRequest = skillRequests(connection, session);
  const { locate } = session;
  /** The deferred documentation for the newest reply. Items from older replies are about to be replaced. */
  let deferred: DeferredDocs | undefined;
  let serial = 0;
  const defer = (left: DeferredDocs): number => {
    deferred = left;
    return ++serial;
  };
  const { completionItem, completionList } = capabilities.textDocument?.completion ?? {};
  const client: CompletionClient = {
    defaults: new Set(completionList?.itemDefaults),
    defer: requestsDocs(capabilities) ? defer : undefined,
    supportsSnippets: completionItem?.snippetSupport === true,
    indentsSnippets: indentsSnippets(params),
    supportsInsertReplace: completionItem?.insertReplaceSupport === true,
    suggestCommand: options.suggestCommand,
  };

  onSkillRequest(CompletionRequest.type, async (analysis, file, { position }) => {
    const offset = locate.offset(file, position);
    const place = findPath(file, offset);
    if (!place) return completion(analysis, file, offset, locate, client);
    // The client of a server in a browser may decline to list a folder.
    const entries = await files.list(place.folder).catch((error: unknown) => {
      userMessage(error);
      return [];
    });
    return pathCompletion(analysis, file, offset, place, entries, locate, client);
  });
  // Changes since the reply do not affect what a name means, so the current analysis is used.
  if (client.defer) {
    onRequest(
      connection,
      CompletionResolveRequest.type,
      (item) => {
        const left = item.data === serial ? deferred : undefined;
        return left ? resolveDocs(item, left, session.analysis) : item;
      },
      (item) => item,
    );
  }
}
