// Field in which an admin names a user; with scripts it is a search.
import * as userLists from "../../../core/identity/user-search.ts";
import * as users from "../../../core/identity/users.ts";
import { limits } from "../../../shared/domain.ts";
import { type Context, readId } from "../../page.tsx";

/** Finds a user by id, by whole username or e-mail, or by a part that only one user has; null for none or several. */
export async function findUser(db: Context["db"], typed: string | null): Promise<users.User | null> {
  const search = typed?.trim().replaceAll("\0", "").slice(0, 100).toLowerCase();
  if (!search) return null;
  const id = readId(search);
  if (id) return users.find(db, id);
  const found = await userLists.list(db, { search }, { limit: limits.pageSize });
  const isExact = ({ username, email }: users.User) => [username.toLowerCase(), email].includes(search);
  return found.find(isExact) ?? (found.length === 1 ? found[0]! : null);
}

export function UserField({ typed, user }: { typed: string; user: users.User | null }) {
  return (
    <div>
      <label htmlFor="user">User</label>
      <input
        id="user"
        name="user"
        maxLength={100}
        autoComplete="off"
        defaultValue={user ? user.id : typed}
        placeholder="ID, username or email"
        data-desk="user"
        data-name={user?.username}
      />
      {typed && <p className="hint">{user ? <bdi>{user.username}</bdi> : "No user found"}</p>}
    </div>
  );
}
