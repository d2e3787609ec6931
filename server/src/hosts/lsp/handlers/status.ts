/** What the status bar asks, and the commands that need to know the whole workspace. */
import type { Connection } from 'vscode-languageserver';
import { about, countDialects } from '../../../features/about.ts';
import { namesInUse } from '../../../features/names-in-use.ts';
import {
  type AboutParams,
  type AboutReply,
  AboutRequest,
  type NewCatalogParams,
  type NewCatalogReply,
  NewCatalogRequest,
  type NewSkillParams,
  NewSkillRequest,
  type NewSkillResult,
  type ReportReply,
  ReportRequest,
} from '../../../protocol.ts';
import { isName, kebabName } from '../../../skill/kebab-name.ts';
import { asTitle } from '../../../text.ts';
import { CATALOG_NAME } from '../../../vocabulary/dialect.ts';
import { ENGINE_VERSION, VERSION } from '../../environment.ts';
import type { Session } from '../../session/session.ts';
import type { Shown } from './client.ts';
import { attempt } from './guard.ts';

export function handleStatus(connection: Connection, session: Session, shown: Shown): void {
  connection.onRequest<AboutReply | null, void>(AboutRequest, ({ uri }: AboutParams) => {
    shown.status = true;
    return attempt(connection, 'about', () => about(session.analysis, uri));
  });
  connection.onRequest<ReportReply | null, void>(ReportRequest, () =>
    attempt(connection, 'report', () => ({
      server: VERSION,
      engine: `MiniJinja ${ENGINE_VERSION}`,
      files: countDialects(session.analysis),
    })),
  );
  // Only who makes a skill or a catalog pays for the engine of our own templates.
  connection.onRequest<NewSkillResult, void>(NewSkillRequest, async (params: NewSkillParams) => {
    const { kind, description, composes = [] } = params;
    const { isKind, KINDS, scaffold } = await import('../../../scaffold/scaffold.ts');
    const { levelOfKind, scaffoldComposite } = await import('../../../scaffold/composite.ts');
    const name = isName(params.name) ? params.name : (kebabName(params.name) ?? params.name);
    const level = levelOfKind(kind);
    if (level !== undefined) {
      return told({ name, ...scaffoldComposite(session.analysis, { level, name, description, composes }) });
    }
    if (!isKind(kind))
      return told({ problem: `There is no kind \`${kind}\` of skills: it is one of ${KINDS.join(', ')}.` });
    return told({ name, ...scaffold({ kind, name, description }) });
  });
  connection.onRequest<NewCatalogReply, void>(NewCatalogRequest, async ({ folder }: NewCatalogParams) => {
    // What is not read yet would be missing in it.
    await session.checked();
    const { scaffoldCatalog } = await import('../../../scaffold/scaffold.ts');
    const names = namesInUse(session.analysis, folder);
    return { fileName: CATALOG_NAME, text: scaffoldCatalog(names), tools: names.tools.length };
  });
}

/** A problem is shown by an input box. */
const told = (result: NewSkillResult): NewSkillResult =>
  'problem' in result ? { problem: asTitle(result.problem) } : result;
