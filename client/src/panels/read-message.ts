/** What the preview's page says and has kept, once it is known to have the shape that it should. */

import type { ToGraphPanel } from './graph/messages.ts';
import type { ToImportPanel } from './import/messages.ts';
import {
  type Check,
  hasFields,
  isBoolean,
  isCount,
  isMap,
  isPlace,
  isRange,
  isText,
  listOf,
  messageReader,
  oneOf,
  orAbsent,
  orNull,
} from './kit/checks.ts';
import type { Asked, CompareTarget, Invocation, PageState, ShownFinding, ToPanel } from './preview/messages.ts';

const isInvocation = hasFields<Invocation>({
  request: orAbsent(isText),
  parameters: orAbsent(isMap),
  source: orAbsent(oneOf('explicit', 'agent-selected', 'scheduled', 'authoring')),
  channel: orAbsent(isText),
  thread_id: orAbsent(isText),
  profile: orAbsent(isText),
  model: orAbsent(isText),
});

const isAsked = hasFields<Asked>({
  sample: orAbsent(isText),
  invocation: orAbsent(isInvocation),
  origin: orAbsent(isText),
  without: listOf(isText),
  client: orAbsent(isText),
  arguments: orAbsent(isText),
});

const isTarget: Check = (value) =>
  hasFields<Pick<CompareTarget, 'kind'>>({ kind: oneOf('saved', 'head') })(value) ||
  hasFields<Extract<CompareTarget, { kind: 'sample' }>>({ kind: oneOf('sample'), name: isText })(value);

const isFinding = hasFields<ShownFinding>({
  range: isRange,
  severity: oneOf('error', 'warning', 'info'),
  message: isText,
  rule: isText,
  fix: orAbsent(isText),
});

/** A message of the page; undefined for anything else. */
export const readPageMessage = messageReader<ToPanel>({
  ready: {},
  compose: { asked: isAsked },
  reveal: { place: isPlace, focus: isBoolean },
  saveSample: { name: isText, invocation: isInvocation },
  keepPrompt: {},
  openJson: {},
  compare: { with: isTarget },
  menuOpened: {},
  askClients: {},
  askAbilities: {},
  copyPrompt: {},
  lock: { locked: isBoolean },
  newSkill: {},
  exportImage: { format: oneOf('svg', 'png'), data: isText },
  fix: { finding: isFinding },
  scrolled: { place: isPlace },
  painted: { serial: isCount },
});

type Kept = Pick<PageState, 'uri' | 'locked' | 'asked'>;

const isKept = hasFields<Kept>({ uri: orAbsent(isText), locked: isBoolean, asked: isAsked });

/** What the panel takes over of the state that the page has kept. */
export const readKept = (state: unknown): Kept | undefined => (isKept(state) ? (state as Kept) : undefined);

/** A message of the graph's page; undefined for anything else. */
export const readGraphMessage = messageReader<ToGraphPanel>({
  ready: {},
  reveal: { place: isPlace, focus: isBoolean },
  scope: { scope: orNull(isText) },
  newSkill: {},
});

/** A message of the import page; undefined for anything else. */
export const readImportMessage = messageReader<ToImportPanel>({ ready: {}, import: { force: isBoolean }, cancel: {} });
