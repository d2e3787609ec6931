/** The extension at the other end of a page: messages to it, and the state that it keeps for the page. */
import { keptState, type Versioned } from './kept-state.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

export interface Host<Message, State> {
  readonly post: (message: Message) => void;
  /** The state that was kept, or else the initial one. */
  readonly state: State;
  readonly keep: (state: State) => void;
}

/** To be called once a page: VS Code gives out its interface a single time. */
export function connectHost<Message, State extends Versioned>(initial: State): Host<Message, State> {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    state: keptState<State>(api.getState(), initial.version) ?? initial,
    keep: (state) => api.setState(state),
  };
}

/** Calls `listener` for each message of the panel. Both ends are built together, so the type is trusted. */
export const onPanelMessage = <Message>(listener: (message: Message) => void): void =>
  addEventListener('message', ({ data }: MessageEvent<Message>) => listener(data));
