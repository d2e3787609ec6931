/** What the page knows, and what its views may do. The model is replaced, never changed; a view patches what differs. */
import type {
  Asked,
  OfferedFix,
  PageState,
  SamplesReply,
  ShownComposition,
  ShownDecision,
  ShownError,
  ShownGate,
  Tab,
  ToPage,
  ToPanel,
  WirePlace,
} from '../messages.ts';

type Show = Extract<ToPage, { type: 'show' }>;

export interface Model {
  /** The last `show`; undefined before the first and while there is nothing. */
  readonly show: Show | undefined;
  /** The composition on the screen: the reply's, else the last good one of the same skill. */
  readonly composition: ShownComposition | undefined;
  readonly errors: readonly ShownError[];
  /** What the editor offers to mend of them. */
  readonly fixes: readonly OfferedFix[];
  readonly cursor: WirePlace | undefined;
  /** The lines of an editor that its author scrolled to; a new value for each time. */
  readonly visible: WirePlace | undefined;
  /** Whether the prompt scrolls to what the cursor lights up. */
  readonly cursorScrolls: boolean;
  readonly stale: boolean;
  readonly notSkill: string | undefined;
  readonly problem: string | undefined;
  readonly saveProblem: string | undefined;
  readonly empty: boolean;
  /** What was asked for and is not answered yet, oldest first: the form is ahead of the answers to what was asked before. */
  readonly pending: readonly Asked[];
  readonly page: PageState;
}

export interface Actions {
  readonly post: (message: ToPanel) => void;
  readonly reveal: (place: WirePlace, focus?: boolean) => void;
  readonly ask: (asked: Asked) => void;
  /** Changes how the page looks, and keeps it for the next time. */
  readonly look: (change: Partial<PageState>) => void;
  readonly openTab: (tab: Tab) => void;
}

export interface View {
  readonly element: HTMLElement;
  readonly update: (model: Model) => void;
  /** For a view that scrolls: the panel that it scrolls in, once. */
  readonly attach?: (panel: HTMLElement) => void;
}

export const newPageState = (): PageState => ({
  locked: false,
  asked: { without: [] },
  tab: 'prompt',
  scroll: {},
  formOpen: false,
  wrap: true,
  graphAsList: false,
  open: [],
});

export const newModel = (page: PageState): Model => ({
  show: undefined,
  composition: undefined,
  errors: [],
  fixes: [],
  cursor: undefined,
  visible: undefined,
  cursorScrolls: false,
  stale: false,
  notSkill: undefined,
  problem: undefined,
  saveProblem: undefined,
  empty: false,
  pending: [],
  page,
});

/** The model after a message. `focus` and `copied` change nothing here: they are about the keyboard, and about a moment. */
export function receive(model: Model, message: ToPage): Model {
  switch (message.type) {
    case 'show':
      return shown(model, message);
    case 'cursor':
      return { ...model, cursor: message.place ?? undefined, cursorScrolls: message.scroll };
    case 'visible':
      return { ...model, visible: message.place };
    case 'fixes':
      return message.serial === model.show?.serial ? { ...model, fixes: message.fixes } : model;
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
    case 'focus':
      return model;
  }
}

function shown(model: Model, show: Show): Model {
  const { reply, asked, locked } = show;
  const { result } = reply;
  // What another skill said is no last good prompt of this one.
  const sameSkill = model.show?.reply.uri === reply.uri;
  const before = sameSkill ? model.composition : undefined;
  const pending = sameSkill ? stillPending(model, asked) : [];
  return {
    ...model,
    show,
    pending,
    composition: result.ok ? result.composition : (before ?? show.lastGood),
    errors: result.ok ? [] : result.errors,
    fixes: [],
    stale: false,
    problem: undefined,
    saveProblem: undefined,
    empty: false,
    page: { ...model.page, uri: reply.uri, asked: pending.at(-1) ?? asked, locked },
  };
}

/** What an answer to `asked` leaves open: nothing, if that is a question that the panel came upon by itself. */
function stillPending({ pending, show }: Model, asked: Asked): readonly Asked[] {
  const key = JSON.stringify(asked);
  const at = pending.findLastIndex((one) => JSON.stringify(one) === key);
  if (at >= 0) return pending.slice(at + 1);
  return JSON.stringify(show?.asked) === key ? pending : [];
}

export const decisionsOf = ({ show }: Model): readonly ShownDecision[] => {
  const result = show?.reply.result;
  return result === undefined ? [] : result.ok ? result.composition.decisions : result.decisions;
};

export const closedGates = ({ show }: Model): readonly ShownGate[] =>
  show?.reply.gates.filter(({ closed }) => closed) ?? [];

export const samplesOf = ({ show }: Model): SamplesReply | undefined => show?.samples;

/** The last step of a URI, readable: a file's name. */
export function fileName(uri: string): string {
  const last = uri.slice(uri.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
