/** The connection of a page to the extension host: messages, and the saved state of the page. */
import { savedState, type Versioned } from './saved-state.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

export interface Host<Message, State> {
  readonly post: (message: Message) => void;
  /** The saved state, or the initial state if no state is saved. */
  readonly state: State;
  readonly keep: (state: State) => void;
}

/** Connects the page. Call it once per page, because VS Code provides its API only once. */
export function connectHost<Message, State extends Versioned>(initial: State): Host<Message, State> {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    state: savedState<State>(api.getState(), initial.version) ?? initial,
    keep: (state) => api.setState(state),
  };
}

/**
 * Calls `listener` for each message from the panel. The page and the panel are built together, so messages are not
 * validated. Ignores messages of other pages in the window, such as websites in other panels: VS Code sends a message of
 * the panel from the origin of the page.
 */
export const onPanelMessage = <Message>(listener: (message: Message) => void): void =>
  addEventListener('message', ({ data, origin }: MessageEvent<Message>) => {
    if (origin === window.origin) listener(data);
  });
