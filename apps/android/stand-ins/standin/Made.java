package standin;

import java.lang.reflect.Constructor;

/** Creates instances that only Android can create. */
public final class Made {
  private Made() {}

  /** @param words arguments of the only, hidden constructor */
  public static <T> T of(Class<T> type, Object... words) {
    try {
      Constructor<?> constructor = type.getDeclaredConstructors()[0];
      constructor.setAccessible(true);
      return type.cast(constructor.newInstance(words));
    } catch (ReflectiveOperationException fault) {
      throw new AssertionError(fault);
    }
  }
}
