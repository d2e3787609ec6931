/** Valid and invalid messages of a client: edits out of range, wrong versions, unknown files, cancelled requests. */
import fc from 'fast-check';
import type { Position, Range, TextDocumentContentChangeEvent } from 'vscode-languageserver-protocol';
import { samples } from '../corpus.ts';
import { damagedSample } from '../mutate.ts';

export const FOLDERS = ['file:///one', 'file:///two'] as const;

export type Message =
  | { readonly kind: 'open'; readonly uri: string; readonly version: number; readonly text: string }
  | {
      readonly kind: 'change';
      readonly uri: string;
      readonly version: number;
      readonly changes: readonly TextDocumentContentChangeEvent[];
    }
  | { readonly kind: 'close'; readonly uri: string }
  | { readonly kind: 'save'; readonly uri: string }
  /** The disk changes, and the client reports it, immediately or only at the end. Without text, the file is deleted. */
  | { readonly kind: 'disk'; readonly uri: string; readonly text: string | undefined; readonly late: boolean }
  | { readonly kind: 'folder'; readonly uri: string; readonly here: boolean }
  | { readonly kind: 'rules'; readonly rules: Readonly<Record<string, string>> }
  /** The client waits until the server is idle. */
  | { readonly kind: 'rest' }
  | { readonly kind: 'request'; readonly method: string; readonly params: object; readonly cancelled: boolean };

/** The files of each folder, the catalog first. */
const CHOSEN = [
  'skills.config.yaml',
  ...[...samples.keys()].filter((path) => path.endsWith('.skill.md') && !path.startsWith('mistakes/')).slice(0, 4),
  ...[...samples.keys()].filter((path) => path.startsWith('mistakes/')).slice(0, 2),
  ...[...samples.keys()].filter((path) => path.endsWith('.skill.yaml')).slice(0, 1),
];

const uri = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...CHOSEN)).map((parts) => parts.join('/')),
  },
  fc.constantFrom(
    'untitled:new.skill.md',
    'file:///elsewhere/a.skill.md',
    'file:///one/plain.txt',
    'no uri at all',
    '',
  ),
);

const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...CHOSEN).map((path) => samples.get(path) ?? '') },
  { weight: 2, arbitrary: damagedSample.map((damaged) => damaged.text) },
  fc.constant(''),
);

const position: fc.Arbitrary<Position> = fc.record({
  line: fc.oneof({ weight: 8, arbitrary: fc.nat(60) }, fc.constantFrom(5_000, 2_147_483_647)),
  character: fc.oneof({ weight: 8, arbitrary: fc.nat(60) }, fc.constantFrom(5_000, 2_147_483_647)),
});
/** The end may be before the start. */
const range: fc.Arbitrary<Range> = fc.oneof(
  fc.record({ start: position, end: position }),
  fc
    .tuple(position, fc.nat(9))
    .map(([start, more]) => ({ start, end: { ...start, character: start.character + more } })),
);

const written = fc.constantFrom(
  '',
  'x',
  ':',
  '\n',
  '  ',
  '{{ ',
  '}}',
  '{% if x %}',
  '```\n',
  '---\n',
  'tools: [x]\n',
  '💡',
  '#',
);
const edit: fc.Arbitrary<TextDocumentContentChangeEvent> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ range, text: written }) },
  fc.record({ text }),
);

/** Every request about a document, with its parameters in addition to the document. */
const REQUESTS: Readonly<Record<string, fc.Arbitrary<object>>> = {
  'textDocument/completion': fc.record({ position }),
  'textDocument/hover': fc.record({ position }),
  'textDocument/signatureHelp': fc.record({ position }),
  'textDocument/definition': fc.record({ position }),
  'textDocument/references': fc.record({ position, context: fc.record({ includeDeclaration: fc.boolean() }) }),
  'textDocument/documentHighlight': fc.record({ position }),
  'textDocument/prepareRename': fc.record({ position }),
  'textDocument/rename': fc.record({ position, newName: fc.constantFrom('other', '', 'a b', 'name', '💡') }),
  'textDocument/linkedEditingRange': fc.record({ position }),
  'textDocument/prepareCallHierarchy': fc.record({ position }),
  'textDocument/documentSymbol': fc.record({}),
  'textDocument/foldingRange': fc.record({}),
  'textDocument/documentLink': fc.record({}),
  'textDocument/codeLens': fc.record({}),
  'textDocument/diagnostic': fc.record({}),
  'textDocument/inlayHint': fc.record({ range }),
  'textDocument/codeAction': fc.record({ range, context: fc.constant({ diagnostics: [] }) }),
  'textDocument/selectionRange': fc.record({ positions: fc.array(position, { maxLength: 3 }) }),
};

const request: fc.Arbitrary<Message> = fc
  .tuple(fc.constantFrom(...Object.keys(REQUESTS)), uri, fc.boolean())
  .chain(([method, about, cancelled]) =>
    (REQUESTS[method] ?? fc.constant({})).map((rest) => ({
      kind: 'request' as const,
      method,
      params: { textDocument: { uri: about }, ...rest },
      cancelled,
    })),
  );
/** The project's own requests, which contain the URI of a file. */
const ownRequest: fc.Arbitrary<Message> = fc
  .tuple(fc.constantFrom('skill/graph', 'skill/samples', 'skill/compose'), uri, fc.boolean())
  .map(([method, about, cancelled]) => ({ kind: 'request', method, params: { uri: about }, cancelled }));

const version = fc.integer({ min: -1, max: 9 });

const message: fc.Arbitrary<Message> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('open' as const), uri, version, text }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      uri,
      version,
      changes: fc.array(edit, { maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('close' as const), uri }) },
  fc.record({ kind: fc.constant('save' as const), uri }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('disk' as const),
      uri,
      text: fc.option(text, { nil: undefined }),
      late: fc.boolean(),
    }),
  },
  fc.record({ kind: fc.constant('folder' as const), uri: fc.constantFrom(...FOLDERS), here: fc.boolean() }),
  fc.record({
    kind: fc.constant('rules' as const),
    rules: fc.constantFrom<Record<string, string>>({}, { 'unknown-tool': 'off' }, { E004: 'hint' }),
  }),
  fc.constant({ kind: 'rest' as const }),
  { weight: 8, arbitrary: request },
  ownRequest,
);

/** A stream, in which any message may be repeated once. */
export const stream: fc.Arbitrary<readonly Message[]> = fc
  .array(fc.tuple(message, fc.boolean()), { minLength: 1, maxLength: 30 })
  .map((messages) => messages.flatMap(([one, again]) => (again && one.kind !== 'change' ? [one, one] : [one])));

/** The initial disk of a stream. */
export const initialDisk: ReadonlyMap<string, string> = new Map(
  FOLDERS.flatMap((folder, at) =>
    CHOSEN.filter((_, index) => index % 2 === at || index === 0).map(
      (path) => [`${folder}/${path}`, samples.get(path) ?? ''] as const,
    ),
  ),
);
