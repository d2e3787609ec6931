/** The immutable model of the page, and the actions and properties of the page's views. */

import type { FileRange } from '../../kit/file-range.ts';
import { t } from '../../kit/l10n.ts';
import { STATE_VERSIONS } from '../../kit/saved-state.ts';
import type {
  AbilitiesView,
  ClientsReply,
  PageState,
  PreviewRequest,
  SamplesReply,
  ShownComposition,
  ShownDecision,
  ShownError,
  ShownFinding,
  ShownGate,
  Tab,
  ToPage,
  ToPanel,
} from '../messages.ts';
import { isOfInput, type ShownPrompt, shownPromptOf } from '../shown-prompt.ts';

type Show = Extract<ToPage, { type: 'show' }>;

/** The control to focus. `field` is the ID of a control in the form; the default is the first control. */
interface Focus {
  readonly what: 'find' | 'input';
  readonly field?: string;
}

export interface Model {
  /** The last `show`; undefined before the first `show`, and while no skill is shown. */
  readonly show: Show | undefined;
  /** The shown composition: the composition in the reply, or the last valid composition of the same skill. */
  readonly composition: ShownComposition | undefined;
  /** The shown prompt; undefined if it is empty. */
  readonly prompt: ShownPrompt | undefined;
  readonly errors: readonly ShownError[];
  /** The findings of the shown file. */
  readonly findings: readonly ShownFinding[];
  /** How clients use a `SKILL.md`; undefined until the reply arrives, and for other files. */
  readonly clients: ClientsReply | undefined;
  /** The abilities of the folder of a `SKILL.md`; undefined until requested. */
  readonly abilities: AbilitiesView | undefined;
  /** The reasons why the prompt cannot be compared with the last save or with git's HEAD. */
  readonly incomparable: { readonly saved?: string; readonly head?: string };
  readonly cursor: FileRange | undefined;
  /** The visible lines of an editor; a new object each time the user scrolls the editor. */
  readonly visible: FileRange | undefined;
  /** True if the prompt scrolls to the highlighted part. */
  readonly cursorScrolls: boolean;
  readonly stale: boolean;
  readonly notSkill: string | undefined;
  readonly problem: string | undefined;
  readonly saveProblem: string | undefined;
  /** True if the prompt was copied since the last `show`. */
  readonly copied: boolean;
  /** The last focus that was requested; a new object for each request. */
  readonly focus: Focus | undefined;
  readonly empty: boolean;
  /** The requests without a reply, oldest first. The form shows the latest request. */
  readonly pending: readonly PreviewRequest[];
  readonly page: PageState;
}

export interface Actions {
  readonly post: (message: ToPanel) => void;
  readonly reveal: (place: FileRange, focus?: boolean) => void;
  readonly ask: (asked: PreviewRequest) => void;
  /** Changes the state of the page, and saves it for a reload. */
  readonly setPage: (change: Partial<PageState>) => void;
  /** Opens the find box of the prompt. */
  readonly find: () => void;
  /** Opens the form at the control with this ID. */
  readonly edit: (field?: string) => void;
}

/** The properties of every view of the page. */
export interface ViewProps {
  readonly model: Model;
  readonly actions: Actions;
}

export const newPageState = (): PageState => ({
  version: STATE_VERSIONS.preview,
  locked: false,
  asked: { without: [] },
  tab: 'prompt',
  scroll: {},
  sheetOpen: false,
  mono: false,
  folded: [],
  runAsList: false,
  open: [],
});

export const newModel = (page: PageState): Model => ({
  show: undefined,
  composition: undefined,
  prompt: undefined,
  errors: [],
  findings: [],
  clients: undefined,
  abilities: undefined,
  incomparable: {},
  cursor: undefined,
  visible: undefined,
  cursorScrolls: false,
  stale: false,
  notSkill: undefined,
  problem: undefined,
  saveProblem: undefined,
  copied: false,
  focus: undefined,
  empty: false,
  pending: [],
  page,
});

/** Returns the model after a message. */
export function receive(model: Model, message: ToPage): Model {
  switch (message.type) {
    case 'show':
      return shown(model, message);
    case 'cursor':
      return { ...model, cursor: message.place ?? undefined, cursorScrolls: message.scroll };
    case 'visible':
      return { ...model, visible: message.place };
    case 'findings':
      return message.uri === model.page.uri ? { ...model, findings: message.findings } : model;
    case 'clients':
      return message.view.uri === model.page.uri ? { ...model, clients: message.view } : model;
    case 'abilities':
      return message.view.uri === model.page.uri ? { ...model, abilities: message.view } : model;
    case 'comparable':
      return { ...model, incomparable: message };
    case 'stale':
      return { ...model, stale: true };
    case 'locked':
      return { ...model, page: { ...model.page, locked: message.locked } };
    case 'notSkill':
      return { ...model, notSkill: message.name ?? undefined };
    case 'empty':
      return { ...newModel(model.page), empty: true };
    case 'problem':
      return { ...model, problem: message.text, stale: false };
    case 'saveRefused':
      return { ...model, saveProblem: message.problem };
    case 'copied':
      return { ...model, copied: true };
    case 'focus':
      return focused(model, message.what);
  }
}

/**
 * Returns the model after a user action in the page. The prompt does not scroll to the cursor until the cursor moves
 * again.
 */
export const acted = (model: Model): Model => ({ ...model, cursorScrolls: false });

/** Returns the model with the form open. */
export const editing = (model: Model, field?: string): Model => ({
  ...model,
  focus: { what: 'input', ...(field !== undefined && { field }) },
  page: { ...model.page, sheetOpen: true },
});

function focused(model: Model, what: Tab | 'find' | 'input'): Model {
  if (what === 'input') return editing(model);
  if (what === 'find') return { ...model, focus: { what }, page: { ...model.page, tab: 'prompt' } };
  return { ...model, page: { ...model.page, tab: what } };
}

function shown(model: Model, show: Show): Model {
  const { reply, asked, locked } = show;
  const { result } = reply;
  // The last valid composition of another skill is not shown.
  const sameSkill = model.show?.reply.uri === reply.uri;
  const before = sameSkill ? model.composition : undefined;
  const pending = sameSkill ? stillPending(model, asked) : [];
  const composition = result.ok ? result.composition : (before ?? show.lastGood);
  return {
    ...model,
    show,
    pending,
    composition,
    prompt: shownPromptOf(result, composition),
    errors: result.ok ? [] : result.errors,
    findings: sameSkill ? model.findings : [],
    clients: sameSkill ? model.clients : undefined,
    abilities: sameSkill ? model.abilities : undefined,
    copied: false,
    stale: false,
    problem: undefined,
    saveProblem: undefined,
    empty: false,
    page: { ...model.page, uri: reply.uri, asked: pending.at(-1) ?? asked, locked },
  };
}

/** Returns the requests that still have no reply after a reply to `asked`; none if the page did not send `asked`. */
function stillPending({ pending, show }: Model, asked: PreviewRequest): readonly PreviewRequest[] {
  const key = JSON.stringify(asked);
  const at = pending.findLastIndex((one) => JSON.stringify(one) === key);
  if (at >= 0) return pending.slice(at + 1);
  return JSON.stringify(show?.asked) === key ? pending : [];
}

export const decisionsOf = ({ show }: Model): readonly ShownDecision[] => {
  const result = show?.reply.result;
  return result === undefined ? [] : result.ok ? result.composition.decisions : result.decisions;
};

/** Returns the invocation record that a host would log, also for a failed composition. */
export const recordOf = ({ show }: Model) => {
  const result = show?.reply.result;
  return result?.ok ? result.composition.invocationRecord : result?.invocationRecord;
};

export const gatesOf = ({ show }: Model): readonly ShownGate[] => show?.reply.gates ?? [];

export const samplesOf = ({ show }: Model): SamplesReply | undefined => show?.samples;

/** Returns true for a `SKILL.md`, independent of its contents. */
export const isAgentSkill = ({ show }: Model): boolean => show !== undefined && fileName(show.reply.uri) === 'SKILL.md';

/** Returns the decoded file name of a URI. */
export function fileName(uri: string): string {
  const last = uri.slice(uri.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** The state of the shown skill: its label, and the reason. */
interface State {
  readonly kind: 'ready' | 'made-up' | 'not-offered' | 'refused' | 'broken';
  readonly word: string;
  readonly why: string;
}

export function stateOf(model: Model): State {
  const ofInput = inputErrors(model);
  if (model.errors.length > ofInput.length) {
    return { kind: 'broken', word: t('Broken'), why: t('The file has errors. See the problems below.') };
  }
  if (ofInput.length > 0) {
    return { kind: 'refused', word: t('Check input'), why: ofInput.map(({ message }) => plain(message)).join('\n') };
  }
  const gates = gatesOf(model);
  if (gates.length > 0) {
    const why = gates.map(({ reason }) => t('The planner does not offer this skill, because {0}.', plain(reason)));
    return { kind: 'not-offered', word: t('Not offered here'), why: why.join('\n') };
  }
  const madeUp = model.show?.reply.madeUp ?? [];
  if (madeUp.length > 0) {
    return {
      kind: 'made-up',
      word: t('Generated values'),
      why: t(
        'These values are generated from the schema, because the input does not set them: {0}.',
        madeUp.join(', '),
      ),
    };
  }
  return { kind: 'ready', word: t('Ready'), why: t('This is what the model will read.') };
}

/** Returns the text with quotation marks instead of backticks, for plain-text attributes. */
export const plain = (text: string): string => text.replace(/`([^`]*)`/g, '“$1”');

/** Returns the errors that concern the input and not the file. */
export const inputErrors = ({ errors }: Model): readonly ShownError[] => errors.filter(isOfInput);
