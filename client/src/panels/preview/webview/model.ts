/** The page's model, which is replaced and never changed, and the actions and the interface of its views. */
import type { Place } from '../../kit/place.ts';
import {
  type Asked,
  type OfferedFix,
  PAGE_STATE_VERSION,
  type PageState,
  type SamplesReply,
  type ShownComposition,
  type ShownDecision,
  type ShownError,
  type ShownGate,
  type Tab,
  type ToPage,
  type ToPanel,
} from '../messages.ts';

type Show = Extract<ToPage, { type: 'show' }>;

export interface Model {
  /** The last `show`; undefined before the first and while no skill is shown. */
  readonly show: Show | undefined;
  /** The shown composition: that of the reply, else the last good one of the same skill. */
  readonly composition: ShownComposition | undefined;
  readonly errors: readonly ShownError[];
  /** The fixes that the editor offers for the errors. */
  readonly fixes: readonly OfferedFix[];
  readonly cursor: Place | undefined;
  /** The visible lines of an editor; a new object each time the user scrolled it. */
  readonly visible: Place | undefined;
  /** Whether the prompt scrolls to the highlighted part. */
  readonly cursorScrolls: boolean;
  readonly stale: boolean;
  readonly notSkill: string | undefined;
  readonly problem: string | undefined;
  readonly saveProblem: string | undefined;
  readonly empty: boolean;
  /** Questions without an answer yet, oldest first. The form shows the newest one. */
  readonly pending: readonly Asked[];
  readonly page: PageState;
}

export interface Actions {
  readonly post: (message: ToPanel) => void;
  readonly reveal: (place: Place, focus?: boolean) => void;
  readonly ask: (asked: Asked) => void;
  /** Changes the page's own state, and keeps it over a reload. */
  readonly setPage: (change: Partial<PageState>) => void;
  readonly openTab: (tab: Tab) => void;
}

export interface View {
  readonly element: HTMLElement;
  readonly update: (model: Model) => void;
  /** Called once with the tab's panel, for a view that scrolls in it. */
  readonly attach?: (panel: HTMLElement) => void;
}

export const newPageState = (): PageState => ({
  version: PAGE_STATE_VERSION,
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

/** The model after a message. `focus` and `copied` have no lasting effect and change nothing. */
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
  // The last good composition of another skill is not shown.
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

/** The questions that are still open after an answer to `asked`; none if the panel asked by itself. */
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

/** What a host would write down of this invocation, failed or not. */
export const recordOf = ({ show }: Model) => {
  const result = show?.reply.result;
  return result?.ok ? result.composition.invocationRecord : result?.invocationRecord;
};

export const closedGates = ({ show }: Model): readonly ShownGate[] =>
  show?.reply.gates.filter(({ closed }) => closed) ?? [];

export const samplesOf = ({ show }: Model): SamplesReply | undefined => show?.samples;

/** The file name of a URI, decoded. */
export function fileName(uri: string): string {
  const last = uri.slice(uri.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
