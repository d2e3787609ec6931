/** Handles navigation, rename, the call hierarchy and the composition graph. */
import {
  CallHierarchyIncomingCallsRequest,
  CallHierarchyOutgoingCallsRequest,
  CallHierarchyPrepareRequest,
  type ClientCapabilities,
  type Connection,
  DefinitionRequest,
  DocumentHighlightRequest,
  DocumentLinkRequest,
  DocumentSymbolRequest,
  FoldingRangeRequest,
  LinkedEditingRangeRequest,
  PrepareRenameRequest,
  ReferencesRequest,
  RenameRequest,
  SelectionRangeRequest,
  WillRenameFilesRequest,
  WorkspaceSymbolRequest,
} from 'vscode-languageserver';
import type { Analysis } from '../../../analysis/analysis.ts';
import { clientLists } from '../../../features/clients/clients-view.ts';
import { countSeverities, graphSteps, hasCompositions, severityFromLsp } from '../../../features/graph/graph-view.ts';
import type { Locate } from '../../../features/locate.ts';
import { incomingCalls, outgoingCalls, prepareCallHierarchy } from '../../../features/navigation/call-hierarchy.ts';
import {
  definition,
  documentLinks,
  highlights,
  references,
  usesOfFiles,
} from '../../../features/navigation/definition.ts';
import { linkedEditingRanges } from '../../../features/navigation/linked-editing.ts';
import {
  documentSymbols,
  flattenSymbols,
  foldingRanges,
  selectionRange,
} from '../../../features/navigation/structure.ts';
import { workspaceSymbols } from '../../../features/navigation/workspace-symbols.ts';
import { withRanges } from '../../../features/preview/with-ranges.ts';
import { editsForMoves } from '../../../features/rename/moved-files.ts';
import {
  isRefusal,
  outputFieldAt,
  prepareRename,
  type RecordedOutput,
  type RenameClient,
  type RenameRefusal,
  rename,
} from '../../../features/rename/rename.ts';
import type { Files } from '../../../io/files.ts';
import { UserError } from '../../../io/user-error.ts';
import {
  type GraphPage,
  type GraphPanelView,
  GraphRequest,
  HasCompositionsRequest,
  UsesRequest,
} from '../../../protocol.ts';
import { inSlices, systemClock } from '../../../services/session/pacing.ts';
import type { Session } from '../../../services/session/session.ts';
import { keptUri } from '../../../services/testing/run-request.ts';
import { findSkillEntry } from '../../../skill/contract.ts';
import type { SkillFile } from '../../../skill/skill-file.ts';
import { OUTPUTS } from '../../../testing/saved-files.ts';
import { asTitle } from '../../../text.ts';
import { fileOperations } from '../capabilities.ts';
import type { RequestedData } from './client.ts';
import { onRequest, skillRequests } from './guard.ts';
import { PerformedRename } from './performed-rename.ts';

export function handleNavigation(
  connection: Connection,
  session: Session,
  files: Files,
  capabilities: ClientCapabilities,
  shown: RequestedData,
): void {
  const onSkillRequest = skillRequests(connection, session);
  const { locate } = session;
  const { textDocument } = capabilities;
  const links = textDocument?.definition?.linkSupport === true;
  const isNested = textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport === true;
  const client = renameClient(capabilities, session);
  const performed = new PerformedRename(connection, files, client);
  shown.renamed = (analysis) => performed.follow(analysis);

  onSkillRequest(DefinitionRequest.type, (analysis, file, { position }) =>
    definition(analysis, file, locate.offset(file, position), locate, links),
  );
  onSkillRequest(ReferencesRequest.type, (analysis, file, { position, context }) =>
    references(analysis, file, locate.offset(file, position), locate, context.includeDeclaration),
  );
  onSkillRequest(DocumentHighlightRequest.type, (analysis, file, { position }) =>
    highlights(analysis, file, locate.offset(file, position), locate),
  );
  onSkillRequest(PrepareRenameRequest.type, (analysis, file, { position }) =>
    orFail(prepareRename(analysis, file, locate.offset(file, position), locate)),
  );
  onSkillRequest(RenameRequest.type, async (analysis, file, { position, newName }) => {
    const offset = locate.offset(file, position);
    const recorded = await readOutputs(analysis, outputFieldAt(analysis, file, offset)?.home, files);
    const renamed = orFail(rename(analysis, file, offset, newName, locate, client, recorded));
    performed.begin(renamed, analysis);
    return renamed.edit;
  });
  onRequest(
    connection,
    WillRenameFilesRequest.type,
    ({ files }) => {
      const moves = files.map(({ oldUri, newUri }) => ({ from: withoutSlash(oldUri), to: withoutSlash(newUri) }));
      if (performed.isOwn(moves)) return null;
      const renamed = editsForMoves(session.analysis, moves, locate, client);
      if (renamed) performed.begin(renamed, session.analysis, false);
      return renamed?.edit ?? null;
    },
    () => null,
  );
  onRequest(connection, UsesRequest, ({ uris }) => usesOfFiles(session.analysis, uris.map(withoutSlash), locate));
  onSkillRequest(DocumentSymbolRequest.type, (_, file) => {
    const symbols = documentSymbols(file, locate);
    return isNested ? symbols : [...flattenSymbols(file.uri, symbols)];
  });
  onRequest(
    connection,
    WorkspaceSymbolRequest.type,
    ({ query }) => workspaceSymbols(session.analysis, query, locate),
    () => null,
  );
  onSkillRequest(FoldingRangeRequest.type, (_, file) => foldingRanges(file));
  onSkillRequest(SelectionRangeRequest.type, (_, file, { positions }) =>
    positions.map((position) => selectionRange(file, locate.offset(file, position), locate)),
  );
  onSkillRequest(DocumentLinkRequest.type, (analysis, file) => documentLinks(analysis, file, locate));
  onSkillRequest(LinkedEditingRangeRequest.type, (_, file, { position }) =>
    linkedEditingRanges(file, locate.offset(file, position), locate),
  );
}

/** Reads the recorded outputs of a skill's samples. */
async function readOutputs(
  analysis: Analysis,
  home: SkillFile | undefined,
  files: Files,
): Promise<readonly RecordedOutput[]> {
  const samples = findSkillEntry(home?.frontmatter.tree.root, 'samples')?.value;
  if (!home || samples?.kind !== 'map') return [];
  const recorded = samples.entries.map(async ({ key }): Promise<readonly RecordedOutput[]> => {
    const uri = `${keptUri(analysis, home, OUTPUTS, String(key.value))}.json`;
    const content = await files.read(uri, { folders: [], isReadDirectly: () => false });
    return content.kind === 'text' ? [{ uri, text: content.text }] : [];
  });
  return (await Promise.all(recorded)).flat();
}

function renameClient(capabilities: ClientCapabilities, session: Session): RenameClient {
  const edit = capabilities.workspace?.workspaceEdit;
  const documentChanges = edit?.documentChanges === true;
  return {
    documentChanges,
    renamesFiles: fileOperations(capabilities).renamesFiles,
    annotations: documentChanges && edit?.changeAnnotationSupport !== undefined,
    version: (uri) => session.version(uri),
  };
}

/** Removes the trailing slash that some clients add to the URI of a folder. */
const withoutSlash = (uri: string): string => uri.replace(/\/$/, '');

/** Throws an error for a refusal. Editors show its message at the cursor. */
function orFail<Answer extends object>(answer: Answer | RenameRefusal): Answer {
  if (isRefusal(answer)) throw new UserError(asTitle(answer.refusal));
  return answer;
}

/** The maximum number of nodes and of edges in a reply. A larger reply would delay the replies to other requests. */
const PAGE = { nodes: 500, edges: 4_000 };

/** The maximum number of graphs whose next pages are kept. */
const MAX_GRAPHS = 4;

/** The graphs that clients receive page by page. */
class GraphPages {
  readonly #open = new Map<string, { readonly analysis: Analysis; readonly view: GraphPanelView }>();
  #count = 0;

  first(analysis: Analysis, view: GraphPanelView, locate: Locate): GraphPage {
    const id = `${++this.#count}`;
    this.#open.set(id, { analysis, view });
    const [oldest] = this.#open.size > MAX_GRAPHS ? this.#open.keys() : [];
    if (oldest !== undefined) this.#open.delete(oldest);
    return this.#page(id, analysis, view, 0, locate);
  }

  /** Returns the page that `next` of the page before names; null if the graph is no longer kept. */
  take(next: string, locate: Locate): GraphPage | null {
    const [id = '', number = ''] = next.split(':');
    const open = this.#open.get(id);
    return open && /^\d{1,9}$/.test(number)
      ? this.#page(id, open.analysis, { ...open.view, cycles: [], lists: [] }, Number(number), locate)
      : null;
  }

  #page(id: string, analysis: Analysis, view: GraphPanelView, at: number, locate: Locate): GraphPage {
    const nodes = view.nodes.slice(at * PAGE.nodes, (at + 1) * PAGE.nodes);
    const edges = view.edges.slice(at * PAGE.edges, (at + 1) * PAGE.edges);
    const isLast = (at + 1) * PAGE.nodes >= view.nodes.length && (at + 1) * PAGE.edges >= view.edges.length;
    if (isLast) this.#open.delete(id);
    return withRanges(analysis, locate, { ...view, nodes, edges, next: isLast ? null : `${id}:${at + 1}` });
  }
}

export function handleGraph(connection: Connection, session: Session, shown: RequestedData): void {
  const onSkillRequest = skillRequests(connection, session);
  const { locate } = session;

  const pages = new GraphPages();
  onRequest(connection, GraphRequest, async (params) => {
    const { uri, next } = params ?? {};
    shown.graph = true;
    if (next !== undefined) return pages.take(next, locate);
    // The graph would be wrong without the files that have not been read yet.
    if (session.analysis.partial) await session.checked();
    const { analysis } = session;
    if (uri !== undefined && !analysis.graph.skills.has(uri)) return null;
    // Counts the reported diagnostics, which are already computed.
    const countFindings = (file: string) =>
      countSeverities(session.report(file).items.map(({ severity }) => severityFromLsp(severity)));
    let page: GraphPage | null = null;
    const pieces = function* (): Iterable<unknown> {
      const roots = uri === undefined ? {} : { roots: [uri] };
      const view = yield* graphSteps(analysis, { ...roots, countFindings });
      yield;
      const lists = clientLists(analysis);
      yield;
      page = pages.first(analysis, { ...view, lists }, locate);
    };
    await inSlices(pieces(), systemClock);
    return page;
  });
  onRequest(connection, HasCompositionsRequest, async () => {
    shown.graph = true;
    await session.checked();
    return hasCompositions(session.analysis);
  });

  onSkillRequest(CallHierarchyPrepareRequest.type, (analysis, file, { position }) =>
    prepareCallHierarchy(analysis, file, locate.offset(file, position), locate),
  );
  onRequest(
    connection,
    CallHierarchyIncomingCallsRequest.type,
    ({ item }) => incomingCalls(session.analysis, item.uri, locate),
    () => null,
  );
  onRequest(
    connection,
    CallHierarchyOutgoingCallsRequest.type,
    ({ item }) => outgoingCalls(session.analysis, item.uri, locate),
    () => null,
  );
}
