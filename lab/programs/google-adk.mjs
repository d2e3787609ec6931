// One request with Google ADK: WORKSPACE MODEL_URL PROMPT
import { join } from 'node:path';
import { Gemini, InMemoryRunner, LlmAgent, loadAllSkillsInDir, SkillToolset } from '@google/adk';

const [workspace, url, text] = process.argv.slice(2);
process.env.GOOGLE_GEMINI_BASE_URL = url;
const skills = await loadAllSkillsInDir(join(workspace, '.agents', 'skills'));
const model = new Gemini({ model: 'gemini-2.5-flash', apiKey: 'none' });
const agent = new LlmAgent({ name: 'lab', model, instruction: 'Help.', tools: [new SkillToolset(skills)] });
const runner = new InMemoryRunner({ agent, appName: 'lab' });
const session = await runner.sessionService.createSession({ appName: 'lab', userId: 'lab' });
const newMessage = { role: 'user', parts: [{ text }] };
for await (const event of runner.runAsync({ userId: 'lab', sessionId: session.id, newMessage })) {
  if (event.errorMessage) console.error(event.errorMessage);
}
