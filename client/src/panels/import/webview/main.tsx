/** The import page: shows the data of the panel, and sends the user's decision. */
import { render } from 'preact';
import { connectHost, onPanelMessage } from '../../kit/host.ts';
import type { ImportState, ToImportPage, ToImportPanel } from '../messages.ts';
import { type Actions, Page } from './page.tsx';

const host = connectHost<ToImportPanel, ImportState>({ version: 1 });
const root = document.getElementById('root') ?? document.body;

const actions: Actions = {
  install: (force) => host.post({ type: 'import', force }),
  cancel: () => host.post({ type: 'cancel' }),
};

onPanelMessage((message: ToImportPage) => render(<Page message={message} actions={actions} />, root));
host.post({ type: 'ready' });
