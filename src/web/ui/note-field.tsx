// The field for a note of staff, which stays as it is written.
import { limits } from "../../shared/domain.ts";
import { TextArea } from "./fields.tsx";

type Props = { label: string; hint: string };

export function NoteField(props: Props) {
  return <TextArea {...props} name="note" rows={3} maxLength={limits.noteChars} required />;
}
