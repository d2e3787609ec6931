/** The request for the text of a new skill. */
import type { Connection } from 'vscode-languageserver';
import { type NewSkillParams, NewSkillRequest, type NewSkillResult } from '../protocol.ts';

export function wireNewSkill(connection: Connection): void {
  connection.onRequest<NewSkillResult, void>(NewSkillRequest, async (params: NewSkillParams) => {
    // Only who makes a skill pays for the templates' engine.
    const { isKind, KINDS, scaffold } = await import('../scaffold/scaffold.ts');
    const { kind, name, description } = params;
    if (!isKind(kind)) return { problem: `There is no kind \`${kind}\` of skills: it is one of ${KINDS.join(', ')}.` };
    return scaffold({ kind, name, description });
  });
}
