/** The immutable model of the page, and the actions and properties of the page's views. */

import type { FileRange } from '../../kit/file-range.ts';
import { t } from '../../kit/l10n.ts';
import { STATE_VERSIONS } from '../../kit/saved-state.ts';
import type {
  AbilitiesView,
  ChosenReply,
  ClientsReply,
  DebugMove,
  DebugProgress,
  PageState,
  PreviewRequest,
  SamplesReply,
  Show,
  ShownChoice,
  ShownComposition,
  ShownDecision,
  ShownError,
  ShownFinding,
  ShownGate,
  ShownRun,
  Tab,
  ToPage,
  ToPanel,
} from '../messages.ts';
import { isOfBudget, isOfCaller, isOfInput, type ShownPrompt, shownPromptOf } from '../shown-prompt.ts';

/**
 * The control to focus. `field` is the ID of a control in the form, or `parameters.` and the path of a parameter; the
 * default is the first control.
 */
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
  /** Whether a client chooses a `SKILL.md`; undefined until requested. */
  readonly chosen: ChosenReply | undefined;
  /** The choice of a model for a `SKILL.md`; undefined until the user asks a model. */
  readonly choice: ShownChoice | undefined;
  /** The abilities of the folder of a `SKILL.md`; undefined until requested. */
  readonly abilities: AbilitiesView | undefined;
  /** The dry run of the shown composition; undefined until requested. */
  readonly run: ShownRun | undefined;
  /** The debug session of the shown skill. */
  readonly debug: DebugProgress | undefined;
  /** The reasons why the prompt cannot be compared with the last save or with git's HEAD. */
  readonly incomparable: { readonly saved?: string; readonly head?: string };
  readonly cursor: FileRange | undefined;
  /** The visible lines of an editor; a new object each time the user scrolls the editor. */
  readonly visible: FileRange | undefined;
  /** True if the prompt scrolls to the highlighted part. */
  readonly cursorScrolls: boolean;
  /** Set while the shown composition is out of date; `reason` is set if composing failed. */
  readonly behind: { readonly reason: string | undefined } | undefined;
  /** Set if the shown file was deleted, or is no longer a skill. */
  readonly gone: { readonly isDeleted: boolean } | undefined;
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
  chosen: undefined,
  choice: undefined,
  abilities: undefined,
  run: undefined,
  debug: undefined,
  incomparable: {},
  cursor: undefined,
  visible: undefined,
  cursorScrolls: false,
  behind: undefined,
  gone: undefined,
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
      return withShow(model, message);
    case 'cursor':
      return { ...model, cursor: message.place ?? undefined, cursorScrolls: message.scroll };
    case 'visible':
      return { ...model, visible: message.place };
    case 'findings':
      return message.uri === model.page.uri ? { ...model, findings: message.findings } : model;
    case 'clients':
      return message.view.uri === model.page.uri ? { ...model, clients: message.view } : model;
    case 'chosen':
      return message.view.uri === model.page.uri ? { ...model, chosen: message.view } : model;
    case 'choice':
      return message.choice.uri === model.page.uri ? { ...model, choice: message.choice } : model;
    case 'abilities':
      return message.view.uri === model.page.uri ? { ...model, abilities: message.view } : model;
    case 'run':
      return message.run.uri === model.page.uri ? { ...model, run: message.run } : model;
    case 'debug':
      return { ...model, debug: withMove(model.debug, message.progress) };
    case 'comparable':
      return { ...model, incomparable: message };
    case 'stale':
      return { ...model, behind: { reason: message.reason ?? model.behind?.reason } };
    case 'gone':
      return { ...model, gone: message, behind: undefined };
    case 'locked':
      return { ...model, page: { ...model.page, locked: message.locked } };
    case 'notSkill':
      return { ...model, notSkill: message.name ?? undefined };
    case 'empty':
      return { ...newModel(model.page), empty: true };
    case 'problem':
      return { ...model, problem: message.text };
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

function withShow(model: Model, show: Show): Model {
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
    chosen: sameSkill ? model.chosen : undefined,
    choice: sameSkill ? model.choice : undefined,
    abilities: sameSkill ? model.abilities : undefined,
    run: model.run && runKey(model.show) === runKey(show) ? model.run : undefined,
    debug: sameSkill ? model.debug : undefined,
    copied: false,
    behind: undefined,
    gone: undefined,
    problem: undefined,
    saveProblem: undefined,
    empty: false,
    page: { ...model.page, uri: reply.uri, asked: pending.at(-1) ?? asked, locked },
  };
}

function withMove(before: DebugProgress | undefined, move: DebugMove | null): DebugProgress | undefined {
  if (move && 'run' in move) return move;
  return move && before ? { ...before, ...move } : undefined;
}

/** Returns a key that is the same for two messages if their runs are the same. */
const runKey = (show: Show | undefined): string =>
  JSON.stringify(show && [show.reply.uri, show.reply.version, show.asked, show.reply.result]);

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
export const isAgentSkill = ({ show }: Model): boolean =>
  show !== undefined && fileName(show.reply.uri).toLowerCase() === 'skill.md';

/** Returns the decoded file name of a URI. */
export function fileName(uri: string): string {
  const last = uri.slice(uri.lastIndexOf('/') + 1).replace(/^untitled:/, '');
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** Returns the tools of the skill and of its composed skills that the caller may not use. */
export const deniedOf = ({ show }: Pick<Model, 'show'>): readonly string[] => show?.reply.denied ?? NONE;

/** Returns the expectations of the shown sample that its composition does not meet. */
export const failedOf = ({ show }: Pick<Model, 'show'>) => show?.reply.expected?.failed ?? [];

/** Always the same list, so that views without a skill do not change. */
const NONE: readonly string[] = [];

/** The errors of a composition, by the part that must change. */
interface SortedErrors {
  readonly ofFile: readonly ShownError[];
  readonly ofInput: readonly ShownError[];
  readonly ofCaller: readonly ShownError[];
}

/** Sorts the errors of the shown composition by the part that must change: the file, the input or the caller. */
export function sortedErrors(model: Pick<Model, 'show' | 'errors'>): SortedErrors {
  const { errors } = model;
  const denied = deniedOf(model);
  const ofInput = errors.filter(isOfInput);
  const ofCaller = errors.filter((error) => isOfCaller(error, denied));
  return { ofInput, ofCaller, ofFile: errors.filter((one) => !ofInput.includes(one) && !ofCaller.includes(one)) };
}

/** Returns the errors that concern the input and not the file. */
export const inputErrors = (model: Pick<Model, 'show' | 'errors'>): readonly ShownError[] =>
  sortedErrors(model).ofInput;

/**
 * Returns true if the shown prompt is older than the file or the input. While the server is busy, the prompt is not
 * marked as older, because this would flicker.
 */
export const isOlder = ({ prompt, behind, gone }: Model): boolean =>
  prompt?.kind === 'last-good' || behind?.reason !== undefined || gone !== undefined;

/** The state of the shown skill: one kind, its label, the reason, and the part of the page that explains it. */
export interface State {
  readonly kind: 'gone' | 'behind' | 'broken' | 'refused' | 'not-allowed' | 'warned' | 'made-up' | 'ready';
  readonly word: string;
  readonly why: string;
  readonly opens: Tab | 'input';
}

type StateModel = Pick<Model, 'show' | 'errors' | 'findings' | 'clients' | 'behind' | 'gone'>;

/**
 * Returns the state of the shown skill (docs/preview.md, "States"). If several states apply, returns the one that must
 * be resolved first.
 */
export function stateOf(model: StateModel): State {
  for (const find of STATES) {
    const state = find(model);
    if (state) return state;
  }
  return { kind: 'ready', word: t('Ready'), why: t('This is what the model will read.'), opens: 'why' };
}

/** The states other than *Ready*, the most urgent first. */
const STATES: readonly ((model: StateModel) => State | undefined)[] = [
  ({ gone, show }) =>
    gone && {
      kind: 'gone',
      word: gone.isDeleted ? t('Deleted') : t('Not a skill'),
      why: goneText(gone, show?.reply.uri),
      opens: 'prompt',
    },
  ({ behind }) =>
    behind && {
      kind: 'behind',
      word: behind.reason === undefined ? t('Updating…') : t('Out of date'),
      why: behind.reason ?? t('The server is composing the current text.'),
      opens: 'prompt',
    },
  (model) => {
    const { ofFile } = sortedErrors(model);
    const word = ofFile.every(isOfBudget) ? t('Over budget') : t('Broken');
    return ofFile.length === 0 ? undefined : { kind: 'broken', word, why: reasonOf(ofFile), opens: 'why' };
  },
  (model) => {
    const { ofInput } = sortedErrors(model);
    if (ofInput.length === 0) return undefined;
    return { kind: 'refused', word: t('Check input'), why: reasonOf(ofInput), opens: 'input' };
  },
  (model) => {
    const gates = model.show?.reply.gates ?? [];
    const { ofCaller } = sortedErrors(model);
    if (gates.length + ofCaller.length === 0) return undefined;
    const isDeprecated = ofCaller.length === 0 && gates.every(({ gate }) => gate === 'deprecation');
    const word = isDeprecated ? t('Deprecated') : t('Not allowed here');
    const why = [
      ...ofCaller.map(({ message }) => plain(message)),
      ...gates.map(({ reason }) => t('The planner does not offer this skill, because {0}.', plain(reason))),
    ];
    return { kind: 'not-allowed', word, why: why.join('\n'), opens: 'why' };
  },
  ({ findings }) => {
    const errors = findings.filter(({ severity }) => severity === 'error');
    return errors.length === 0
      ? undefined
      : { kind: 'warned', word: t('Has errors'), why: reasonOf(errors), opens: 'prompt' };
  },
  (model) => {
    const failed = failedOf(model).filter(({ isSoft }) => !isSoft);
    return failed.length === 0
      ? undefined
      : { kind: 'warned', word: t('Test fails'), why: reasonOf(failed), opens: 'prompt' };
  },
  ({ clients }) => {
    const targets = clients?.clients.filter(({ isTarget }) => isTarget) ?? [];
    const skipping = targets.filter(({ cells, isElsewhere }) => cells.loaded.outcome === 'no' && !isElsewhere);
    if (skipping.length === 0) return undefined;
    const word = t('Not loaded by {0} of {1}', skipping.length, targets.length);
    return { kind: 'warned', word, why: `${word}: ${skipping.map(({ name }) => name).join(', ')}`, opens: 'chosen' };
  },
  ({ show }) => {
    const madeUp = show?.reply.madeUp ?? [];
    if (madeUp.length === 0) return undefined;
    const text = t(
      'These values are generated from the schema, because the input does not set them: {0}.',
      madeUp.join(', '),
    );
    return { kind: 'made-up', word: t('Generated values'), why: text, opens: 'input' };
  },
];

const reasonOf = (all: readonly { readonly message: string }[]): string =>
  all.map(({ message }) => plain(message)).join('\n');

/** Returns a sentence for a file that was deleted or is no longer a skill. */
export const goneText = ({ isDeleted }: NonNullable<Model['gone']>, uri = ''): string =>
  isDeleted ? t('{0} was deleted.', fileName(uri)) : t('{0} is no longer a skill.', fileName(uri));

/** Returns the text with quotation marks instead of backticks, for plain-text attributes. */
export const plain = (text: string): string => text.replace(/`([^`]*)`/g, '‘$1’');
