/** Handles the requests of the status bar, and of commands that need the whole workspace. */
import type { Connection } from 'vscode-languageserver';
import { about, countDialects, namesInUse } from '../../../features/workspace-facts.ts';
import { ENGINE_VERSION, VERSION } from '../../../io/environment.ts';
import { folderUri } from '../../../io/files.ts';
import {
  AboutRequest,
  NewCatalogRequest,
  type NewSkillReply,
  NewSkillRequest,
  ReportRequest,
} from '../../../protocol.ts';
import type { Session } from '../../../services/session/session.ts';
import { isName, kebabName } from '../../../skill/kebab-name.ts';
import { asTitle } from '../../../text.ts';
import { CATALOG_NAME } from '../../../vocabulary/dialect.ts';
import type { ConnectedClient, RequestedData } from './client.ts';
import { onRequest } from './guard.ts';
import { countLosses } from './skills.ts';

export function handleStatus(connection: Connection, session: Session, shown: RequestedData): void {
  onRequest(connection, AboutRequest, async ({ uri }) => {
    shown.status = true;
    await countLosses(session);
    return about(session.analysis, session.findings, uri);
  });
  onRequest(connection, ReportRequest, () => ({
    server: VERSION,
    engine: `MiniJinja ${ENGINE_VERSION}`,
    files: countDialects(session.analysis),
  }));
  // The engine for our own templates is loaded only when a skill or a catalog is created.
  onRequest(connection, NewSkillRequest, async (params) => {
    const { kind, description, composes = [] } = params;
    const { name: title } = params;
    const name = isName(title) ? title : (kebabName(title) ?? title);
    if (kind === 'composite' || kind === 'workflow') {
      const { scaffoldComposite } = await import('../../../scaffold/composite.ts');
      const level = kind === 'composite' ? 2 : 3;
      return withTitle({ name, ...scaffoldComposite(session.analysis, { level, name, title, description, composes }) });
    }
    const { scaffold } = await import('../../../scaffold/scaffold.ts');
    return withTitle({ name, ...scaffold({ kind, name, title, description }) });
  });
  onRequest(connection, NewCatalogRequest, async ({ folder }) => {
    // Files that have not been read yet would be missing in the catalog.
    await session.checked();
    const { scaffoldCatalog } = await import('../../../scaffold/scaffold.ts');
    const names = namesInUse(session.analysis, folderUri(folder));
    return { fileName: CATALOG_NAME, text: scaffoldCatalog(names), tools: names.tools.length };
  });
}

/** Announces the numbers of findings, and again after each change of them. Ends with the session. */
export async function followFindings(session: Session, client: ConnectedClient): Promise<void> {
  for (;;) {
    await session.findingsChanged();
    if (client.shown.status) await countLosses(session);
    client.announceStatus(session.analysis, session.findings);
  }
}

/** Capitalizes a problem, because an input box shows it. */
const withTitle = (result: NewSkillReply): NewSkillReply =>
  'problem' in result ? { problem: asTitle(result.problem) } : result;
