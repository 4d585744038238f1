package standin;

import java.lang.reflect.Constructor;

/** Makes what Android alone makes. */
public final class Made {
  private Made() {}

  /** @param words for the one constructor, which Android keeps to itself */
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
